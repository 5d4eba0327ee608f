"""Reports: a definition in SQL, its rows, and the forms a person or a program reads them in."""

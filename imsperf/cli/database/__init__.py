"""Commands that ask a database: reports, charts, comparison, pages."""

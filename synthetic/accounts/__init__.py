"""What was simulated, charged to address spaces, classes, volumes and paths."""

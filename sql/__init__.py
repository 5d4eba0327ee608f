"""SQL files: views and reports, found by package."""

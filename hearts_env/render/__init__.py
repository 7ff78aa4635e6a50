"""Pictures of tables: `ansi` for terminals, `svg` for pages. Pure functions of a view, a match or a state record."""

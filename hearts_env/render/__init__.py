"""Pictures of tables: `ansi` for terminals, `svg` for pages, `pixels` for arrays.

Pure functions of a view, a match or a state record.
"""

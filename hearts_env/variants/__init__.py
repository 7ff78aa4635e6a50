"""The registered variants, each a few lines of data on Basic Hearts, grouped by kind."""

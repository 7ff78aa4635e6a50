"""Rules compiled into the numeric tables that the kernel reads."""

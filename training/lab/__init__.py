"""What measures the suite itself, run from a checkout: ``python training/lab/NAME.py --help``. Not in the wheel."""

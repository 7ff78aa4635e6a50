"""What measures the suite itself: ``python training/lab/NAME.py --help``, in an editable installation of a checkout.

None of it is in the wheel.
"""

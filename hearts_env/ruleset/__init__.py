"""Rules as data: the fields, their text form, what follows from them, and which combinations are valid."""

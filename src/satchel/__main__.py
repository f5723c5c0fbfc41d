"""`python -m satchel` is the command line."""

from satchel.cli import main

main()

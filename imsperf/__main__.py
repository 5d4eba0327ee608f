"""python -m imsperf."""

from imsperf.cli import main

main()

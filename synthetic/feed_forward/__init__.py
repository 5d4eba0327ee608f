"""Transactions without an event list: each stage for a slice of the run, in arrays.

    sends -> XCF, input CPU -> regions, first come first served -> sync point -> log -> answer

The front is `sample.sample`, which takes and gives what `simulation.simulate.simulate` does.
"""

"""Queueing formulas, and `solve`: the balance of work that is only declared.

    from imsperf.synthetic.network.network import Cpu
    from imsperf.synthetic.solver.model import Burst, Delay, LogWrite, Pool, Work
    from imsperf.synthetic.solver.solve import solve

    steps = (
        Burst(60.0, "outside"),             # CPU before and after the IMS response
        Burst(40.0, "ims"),                 # CPU inside the response, no region held
        Burst(390.0),                       # CPU in the region
        Delay("database", 17_000.0),        # time that nobody lengthens
        LogWrite("wads", 260.0),            # group commit, the region waits for it
    )
    cpus = Cpu(3, growth=0.05, fixed_us_per_s=20_000.0)
    work = Work("ff", steps, 4000, think_us=790_000.0, pool=Pool("regions", 96), cpus=cpus)
    found = solve((work,))

    found.of("ff").rate                     # transactions a second
    found.of("ff").response                 # seconds; None: saturated open work
    found.bottleneck                        # which station is nearest to its limit
    found.station("regions").utilisation    # 0 to 1; also .queue (customers), .residence (seconds)
    found.details["wads.writes_per_s"]      # STEP.FIGURE, see steps.py and answer.py

In: microseconds (`_us`), rates per second, counts per transaction. Out: seconds, per second,
shares. The residences of a work add up: response + time outside; clients = rate x (think + both).
Each work has processors of its own (an LPAR); works that name the same step share that device.

| module | holds |
|---|---|
| model | work: its steps at the parts of a network, its regions and processors |
| solve | the search for the rates; for think times with a utilisation |
| steps, servers, answer | steps at given rates; servers of a work; the answer as `Results`, knees |
| pooled | the network of one work, without and with a pool |
| tcbs, releases | TCBs and processors; what log writes release |
| queueing | closed networks of stations, queues and populations |
| devices | formulas of one device |
| declared | the work on a network, and its balance |
"""

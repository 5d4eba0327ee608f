"""Log, log latch, database volumes and XCF, from the knobs that scenarios of all families share.

What a scenario has not is as if it did nothing: only tps-100k says how its latches are posted, and
gives PEND, DISC and CONN in milliseconds where the others give shares.
"""

from __future__ import annotations

from imsperf.errors import ScenarioError
from imsperf.synthetic.network.network import Dasd, Latches, Logger, Xcf
from imsperf.synthetic.scenarios.scenario import Scenario
from imsperf.synthetic.solver.declared import latch_steps
from imsperf.synthetic.solver.devices import latch
from imsperf.synthetic.units import US_PER_MS


def xcf(scenario: Scenario) -> Xcf:
    """Members and quota; no gate where messages come through SNA, or calls from CICS."""
    if scenario.get("driver.transport", "") == "sna" or "xcf.members" not in scenario:
        return Xcf()
    return Xcf(
        members=scenario["xcf.members"],
        quota=scenario["xcf.messages_per_schedule"],
        window_us=scenario["xcf.window_ms"] * US_PER_MS,
    )


# --- latch ----------------------------------------------------------------------------------------


def code_speed(scenario: Scenario) -> float:
    """Speed of the processors against those of the scenario's file, to which its holds belong."""
    knob = scenario.knob("cpu.speed")
    return float(knob.value) / float(knob.default)


def latches(scenario: Scenario) -> Latches:
    """The log latch. Holds are code: a faster processor shortens them."""
    speed = code_speed(scenario)
    return Latches(
        mode=scenario["logger.latch"],
        calls_shared=scenario["latch.calls_shared"],
        hold_shared_us=scenario["latch.hold_shared_us"] / speed,
        hold_exclusive_us=scenario["latch.hold_exclusive_us"] / speed,
        other_exclusive_per_s=scenario["latch.other_per_s"],
        other_hold_us=scenario["latch.other_hold_us"] / speed,
        contention_cpu_us=post_us(scenario),
    )


def post_us(scenario: Scenario) -> float:
    """Wait and post cost of a contention; posting who cannot get the latch yet costs more."""
    us = float(scenario["latch.contention_cpu_us"]) / code_speed(scenario)
    return us * (
        scenario["latch.repost_factor"] if scenario.get("latch.posting", "") == "all" else 1.0
    )


def contention_us(scenario: Scenario, rate_per_s: float) -> float:
    """CPU that a transaction's contended calls of the log latch cost at a rate."""
    rate, total = rate_per_s / 1e6, 0.0
    for step in latch_steps(latches(scenario)):
        others = (step.other_exclusive_per_s / 1e6, step.other_hold_us)
        own = (rate * step.calls_exclusive, step.hold_exclusive_us)
        seen = latch(rate * step.calls_shared, step.hold_shared_us, (own, others))
        contended = step.calls_shared * seen.shared_contention
        contended += step.calls_exclusive * seen.exclusive_contention
        total += contended * step.contention_cpu_us
    return total


# --- log ------------------------------------------------------------------------------------------


def logger(scenario: Scenario, thread_end_bytes: int = 0) -> Logger:
    """WADS and OLDS. `thread_end_bytes`: of 5604, where a program has a thread of its own."""
    return Logger(
        check_write=scenario["log.check_write"],
        wads_us=log_write_ms(scenario, "wads") * US_PER_MS,
        wads_cv=scenario["log.wads.cv"],
        wads_ci_bytes=scenario["log.wads.ci_bytes"],
        olds_us=log_write_ms(scenario, "olds") * US_PER_MS,
        block_bytes=scenario["log.olds.block_bytes"],
        buffers=scenario["log.olds.buffers"],
        olds_capacity=scenario["log.olds.blocks"],
        archive_blocks=scenario["log.archive.read_blocks"] * (scenario["log.archive"] == "on"),
        archive_read_us=scenario["log.archive.read_ms"] * US_PER_MS,
        archive_cpu_us=scenario["log.archive.cpu_us"],
        thread_end_bytes=thread_end_bytes,
    )


def log_write_ms(scenario: Scenario, data_set: str) -> float:
    """Response of one write to `data_set`, wads or olds, in milliseconds (model.md 3.5).

    Local device, the protocol exchange that zHPF saves, a synchronous mirror and the kilometres to
    it. zHyperWrite writes both copies from the host at once: the later one counts. What the writes
    then do together is devices.group_commit.
    """
    local, exchange, mirror = (
        1000 * scenario[f"log.{data_set}.{part}_ms"] for part in ("write", "zhpf", "mirror")
    )
    us = local + (0.0 if setting(scenario, data_set, "zhpf") == "on" else exchange)
    if scenario["log.mirror"] == "on":
        if setting(scenario, data_set, "zhyperwrite") == "on":
            us += _km_us(scenario) * scenario["log.km_host_secondary"]
        else:
            us = us + mirror + _km_us(scenario) * scenario["log.km_link"]
    return float(us / 1000)


def mirror_share(scenario: Scenario, data_set: str) -> float:
    """Part of such a write in which the volume waits for its synchronous mirror, 0 to 1."""
    if scenario["log.mirror"] != "on" or setting(scenario, data_set, "zhyperwrite") == "on":
        return 0.0
    total_ms = log_write_ms(scenario, data_set)
    far = scenario["log.km_link"] * _km_us(scenario) / 1000
    return (scenario[f"log.{data_set}.mirror_ms"] + far) / total_ms if total_ms > 0 else 0.0


def fixed_us_per_s(scenario: Scenario) -> float:
    """CPU used at any rate, on this machine's processors. Errors: ScenarioError, it is all."""
    fixed = float(scenario["cpu.fixed_ms_per_s"] * US_PER_MS / scenario["cpu.speed"])
    if fixed >= scenario["cpu.gcps"] * 1e6 * 0.99:
        raise ScenarioError(
            f"cpu.fixed_ms_per_s: found {scenario['cpu.fixed_ms_per_s']}, which leaves nothing of "
            f"{scenario['cpu.gcps']} processors",
            "lower it or raise cpu.gcps",
        )
    return fixed


def setting(scenario: Scenario, data_set: str, feature: str) -> str:
    """on or off: what is said of the data set, or of the log as a whole."""
    own = str(scenario[f"log.{data_set}.{feature}"])
    return str(scenario[f"log.{feature}"]) if own == "as_log" else own


def _km_us(scenario: Scenario) -> float:
    """Microseconds for each kilometre, there and back."""
    physical = scenario["log.distance"] == "physical"
    return float(scenario["log.km_physical_us" if physical else "log.km_2018_us"])


# --- database volumes -----------------------------------------------------------------------------


def dasd(scenario: Scenario) -> Dasd:
    """Volumes behind channel paths. Where PEND, DISC and CONN are given, db_read_ms scales them."""
    read_ms, own = scenario["dasd.db_read_ms"], "dasd.pend_ms" in scenario
    if own:
        parts = [scenario[f"dasd.{part}_ms"] for part in ("pend", "disc", "conn")]
        scale = (read_ms or sum(parts)) / sum(parts)
    else:
        pend, disc = scenario["dasd.pend_share"], scenario["dasd.disc_share"]
        parts, scale = [pend, disc, max(1 - pend - disc, 0.0)], read_ms
    pend_us, disc_us, conn_us = (part * scale * US_PER_MS for part in parts)
    return Dasd(
        paths=scenario["dasd.channel_paths"],
        volumes=scenario["dasd.volumes"],
        port_us=scenario["dasd.port_ms"] * US_PER_MS,
        pend_us=pend_us,
        device_busy_us=scenario["dasd.device_busy_ms"] * US_PER_MS if own else 0.0,
        interrupt_us=scenario["dasd.interrupt_ms"] * US_PER_MS if own else 0.0,
        disc_us=disc_us,
        conn_us=conn_us,
        aliases=scenario["dasd.aliases"],
    )

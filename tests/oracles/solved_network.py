"""The balance of one network, by the names of the simulation's figures. Times in microseconds."""

from __future__ import annotations

from dataclasses import dataclass

from imsperf.synthetic.network.network import Network
from imsperf.synthetic.solver.answer import results
from imsperf.synthetic.solver.declared import balance_of, works_of
from imsperf.synthetic.solver.devices import GroupCommit, Io, Latch
from imsperf.synthetic.solver.servers import Balance


@dataclass(frozen=True)
class SolvedNetwork:
    """A network and its balance; `loads`: shares of what each station can do."""

    network: Network
    balance: Balance
    loads: dict[str, float]
    io: Io
    log_write: GroupCommit

    @classmethod
    def of(cls, network: Network) -> SolvedNetwork:
        """As the solver has it."""
        balance = balance_of(network)
        uses = results(works_of([network]), {"work": balance}).stations
        io, write = (balance.terms.device(kind) for kind in (Io, GroupCommit))
        assert isinstance(io, Io) and isinstance(write, GroupCommit)
        return cls(network, balance, {use.name: use.utilisation for use in uses}, io, write)

    @property
    def rate_per_s(self) -> float:
        """Transactions a second."""
        return self.balance.rate_per_s

    @property
    def cpu_busy(self) -> float:
        """Share of the CPs."""
        cpu, balance = self.network.cpu, self.balance
        used = balance.point.rate * float(balance.cpu_us.sum()) + cpu.fixed_us_per_s / 1e6
        return min(used / cpu.cps, 1.0)

    @property
    def input_us(self) -> float:
        """CPU and waits before the region, without the gate."""
        return float(self.balance.times_us[0])

    @property
    def output_us(self) -> float:
        """CPU and waits after the log write."""
        notified = self.network.logger.check_write == "notified"
        return float(self.balance.times_us[1]) - self.balance.check_write_us * notified

    @property
    def response_us(self) -> float | None:
        """XCF delivery to dequeue; None: saturated."""
        inside = self.balance.response_us
        return None if inside is None else inside + self.input_us

    @property
    def in_flight(self) -> float | None:
        """Transactions between XCF delivery and dequeue, by Little's law."""
        return None if self.response_us is None else self.rate_per_s * self.response_us / 1e6

    def latch(self, name: str) -> Latch | None:
        """LOGL, LREC or serial code; None: nobody takes it."""
        return self.balance.terms.device(Latch, name)

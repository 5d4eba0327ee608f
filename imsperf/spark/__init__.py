"""A lake by Apache Spark, where it is out of one machine's reach: load it, run reports of it.

    imsperf.spark.load(spark, "/data/dumps", "/data/lake", run="week")
    imsperf.spark.attach(spark, "/data/lake")
    rows = imsperf.spark.report(spark, "rmf.device", total=True)

`import imsperf.spark` needs neither pyspark nor pandas; what runs needs a session of Spark 4.1.
"""

from typing import TYPE_CHECKING

from imsperf.spark.lake import attach
from imsperf.spark.loading import load
from imsperf.spark.report import report
from imsperf.spark.translate import translate

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["attach", "load", "register", "report", "translate"]


def register(spark: "SparkSession") -> None:
    """Let a session know the data source `imsperf` (imsperf.spark.source)."""
    from imsperf.spark.source import register

    register(spark)

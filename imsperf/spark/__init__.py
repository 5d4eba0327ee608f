"""Reports of a lake by Apache Spark, where it is out of one machine's reach.

    imsperf.spark.attach(spark, "/data/lake")
    rows = imsperf.spark.report(spark, "rmf.device", total=True)

`import imsperf.spark` needs neither pyspark nor pandas; what runs needs a session of Spark 4.1.
"""

from imsperf.spark.lake import attach
from imsperf.spark.report import report
from imsperf.spark.translate import translate

__all__ = ["attach", "report", "translate"]

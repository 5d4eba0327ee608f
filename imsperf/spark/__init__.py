"""Reports of a lake by Apache Spark, where it is out of one machine's reach.

`import imsperf.spark` needs neither pyspark nor pandas; what runs needs a session of Spark.
"""

from imsperf.spark.translate import translate

__all__ = ["translate"]

"""imsperf: SMF and IMS log dumps to SQL, reports, comparison and a performance model."""

__version__ = "0.1.0"

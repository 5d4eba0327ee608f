"""What a process has loaded, once for all, of which those are copies that read tasks."""

from imsperf.kernels import load_kept
from imsperf.loading import jobs as jobs

load_kept()

"""What a process has loaded, once for all, of which those are copies that read tasks."""

import gc

import numpy as np

from imsperf.kernels import load_kept
from imsperf.loading import jobs as jobs

load_kept()
gc.freeze()  # pages that are not written to are shared with the copies
# Once so much was taken and given back, glibc keeps what arrays give back for the next ones; else
# each array of a part of a dump is of new pages.
np.empty(31 << 20, np.uint8)

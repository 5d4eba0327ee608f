"""SMF type 70 subtype 2: cryptographic hardware, written by RMF once an interval.

A card runs as CCA coprocessor, as accelerator or as PKCS11 coprocessor and has a section of that kind. Times of the
cards are numbers that the scaling factor of the section (r7023sf, r7024sf, r7025sf) turns into seconds. Counts are
of the whole machine or of this system's domain, as the scope says. One section counts what ICSF was asked for.
"""

from __future__ import annotations

from imsperf.kinds import flags1, hfp8, u1, u2, u4
from imsperf.layout import Field as F
from imsperf.layout import Section
from imsperf.layouts.smf import BOOK, product, rmf_evidence, rmf_header
from imsperf.record import Interval, Record, triplet

_SOURCE = f"{BOOK}: record type 70 subtype 2,"

# fmt: off

HEADER = rmf_header("smf70_2_header", "One row per type 70.2 record: cryptographic hardware in an interval", (
    #  +dec  name        kind meaning
    F(  36, "smf7023s",  u4,  "Offset of the first CCA coprocessor section", "bytes", "1src"),
    F(  40, "smf7023l",  u2,  "Length of a CCA coprocessor section", "bytes", "1src"),
    F(  42, "smf7023n",  u2,  "CCA coprocessor sections", "", "1src"),
    F(  44, "smf7024s",  u4,  "Offset of the first accelerator section", "bytes", "1src"),
    F(  48, "smf7024l",  u2,  "Length of an accelerator section", "bytes", "1src"),
    F(  50, "smf7024n",  u2,  "Accelerator sections", "", "1src"),
    F(  52, "smf702cs",  u4,  "Offset of the ICSF section", "bytes", "1src"),
    F(  56, "smf702cl",  u2,  "Length of the ICSF section", "bytes", "1src"),
    F(  58, "smf702cn",  u2,  "ICSF sections", "", "1src"),
    F(  60, "smf7025s",  u4,  "Offset of the first PKCS11 coprocessor section", "bytes", "1src"),
    F(  64, "smf7025l",  u2,  "Length of a PKCS11 coprocessor section", "bytes", "1src"),
    F(  66, "smf7025n",  u2,  "PKCS11 coprocessor sections", "", "1src"),
))

PRODUCT = product("smf70_2_product")

CCA = Section("smf70_2_cca", "One card that runs as CCA coprocessor", f"{_SOURCE} CCA coprocessor section (R7023)", 50, (
    #  +dec  name          kind    meaning
    F(   0, "r7023ax",     u1,     "Index of the crypto processor"),
    F(   1, "r7023ct",     u1,     "Type of the card: 5 PCIXCC, 10 CEX4C, 11 CEX5C, 12 CEX6C, 13 CEX7C, 14 CEX8C"),
    F(   2, "r7023msk",    flags1, "What is valid: bit 0 all operations, 1 RSA key generation"),
    F(   3, "r7023mt",     u1,     "Byte for diagnosis", "", "1src"),
    # +4: 4 bytes not described
    F(   8, "r7023sf",     hfp8,   "Seconds in one unit of the times here"),
    F(  16, "r7023t0",     hfp8,   "Time of all operations, in units of r7023sf"),
    F(  24, "r7023c0",     hfp8,   "Operations, all", "requests"),
    # +32: 8 bytes not described
    F(  40, "r7023c1",     hfp8,   "RSA keys generated", "requests"),
    F(  48, "r7023scope",  u1,     "What is counted: 0 the whole machine, 1 this system", "", "1src"),
    F(  49, "r7023did",    u1,     "Domain, where r7023scope is 1", "", "1src"),
))

ACCELERATOR = Section("smf70_2_accelerator", "One card that runs as accelerator", f"{_SOURCE} accelerator section (R7024)", 370, (
    #  +dec  name          kind    meaning
    F(   0, "r7024ax",     u1,     "Index of the crypto processor"),
    F(   1, "r7024ct",     u1,     "Type of the card: 11 CEX5A, 12 CEX6A, 13 CEX7A, 14 CEX8A"),
    F(   2, "r7024msk",    flags1, "What is valid: bit 0 ME 1024, 1 ME 2048, 2 CRT 1024, 3 CRT 2048, 4 ME 4096, 5 CRT 4096 bits"),
    # +3: 1 byte not described
    F(   4, "r7024en",     u4,     "Engines that have data"),
    F(   8, "r7024sf",     hfp8,   "Seconds in one unit of the times here"),
    # +16: 320 bytes not described
    F( 336, "r7023met",    hfp8,   "Time of modular exponentiations with 4096 bits, in units of r7024sf"),
    F( 344, "r7023mec",    hfp8,   "Modular exponentiations with 4096 bits", "requests"),
    F( 352, "r7023crt",    hfp8,   "Time of Chinese remainder operations with 4096 bits, in units of r7024sf"),
    F( 360, "r7023crc",    hfp8,   "Chinese remainder operations with 4096 bits", "requests"),
    F( 368, "r7024scope",  u1,     "What is counted: 0 the whole machine, 1 this system"),
    F( 369, "r7024did",    u1,     "Domain, where r7024scope is 1"),
), "1src")

ICSF = Section("smf70_2_icsf", "Services of ICSF in one interval", f"{_SOURCE} ICSF services section (R702)", 604, (
    #  +dec  name        kind  meaning
    F(   0, "r702snec",  hfp8, "Calls to encipher with single DES", "requests"),
    F(   8, "r702sneb",  hfp8, "Bytes enciphered with single DES", "bytes"),
    F(  16, "r702snei",  hfp8, "Instructions to encipher with single DES"),
    F(  24, "r702tnec",  hfp8, "Calls to encipher with triple DES", "requests"),
    F(  32, "r702tneb",  hfp8, "Bytes enciphered with triple DES", "bytes"),
    F(  40, "r702tnei",  hfp8, "Instructions to encipher with triple DES"),
    F(  48, "r702sndc",  hfp8, "Calls to decipher with single DES", "requests"),
    F(  56, "r702sndb",  hfp8, "Bytes deciphered with single DES", "bytes"),
    F(  64, "r702sndi",  hfp8, "Instructions to decipher with single DES"),
    F(  72, "r702tndc",  hfp8, "Calls to decipher with triple DES", "requests"),
    F(  80, "r702tndb",  hfp8, "Bytes deciphered with triple DES", "bytes"),
    F(  88, "r702tndi",  hfp8, "Instructions to decipher with triple DES"),
    F(  96, "r702nmgc",  hfp8, "Calls to generate a MAC", "requests"),
    F( 104, "r702nmgb",  hfp8, "Bytes a MAC was generated for", "bytes"),
    F( 112, "r702nmgi",  hfp8, "Instructions to generate a MAC"),
    F( 120, "r702nmvc",  hfp8, "Calls to verify a MAC", "requests"),
    F( 128, "r702nmvb",  hfp8, "Bytes a MAC was verified for", "bytes"),
    F( 136, "r702nmvi",  hfp8, "Instructions to verify a MAC"),
    F( 144, "r702nhac",  hfp8, "Calls to hash with SHA-1", "requests"),
    F( 152, "r702nhab",  hfp8, "Bytes hashed with SHA-1", "bytes"),
    F( 160, "r702nhai",  hfp8, "Instructions to hash with SHA-1"),
    F( 168, "r702nptc",  hfp8, "Calls to translate a PIN", "requests"),
    F( 176, "r702npvc",  hfp8, "Calls to verify a PIN", "requests"),
    F( 184, "r702nh2c",  hfp8, "Calls to hash with SHA-224 and SHA-256", "requests"),
    F( 192, "r702nh2b",  hfp8, "Bytes hashed with SHA-224 and SHA-256", "bytes"),
    F( 200, "r702nh2i",  hfp8, "Instructions to hash with SHA-224 and SHA-256"),
    F( 208, "r702nh5c",  hfp8, "Calls to hash with SHA-384 and SHA-512", "requests"),
    F( 216, "r702nh5b",  hfp8, "Bytes hashed with SHA-384 and SHA-512", "bytes"),
    F( 224, "r702nh5i",  hfp8, "Instructions to hash with SHA-384 and SHA-512"),
    F( 232, "r702cdlv",  u4,   "Level of the ICSF data"),
    F( 236, "r702aesc",  hfp8, "Calls to encipher with AES that went to a card", "requests"),
    F( 244, "r702aesb",  hfp8, "Bytes enciphered with AES", "bytes"),
    F( 252, "r702aesi",  hfp8, "Operations to encipher with AES"),
    F( 260, "r702asdc",  hfp8, "Calls to decipher with AES that went to a card", "requests"),
    F( 268, "r702asdb",  hfp8, "Bytes deciphered with AES", "bytes"),
    F( 276, "r702asdi",  hfp8, "Operations to decipher with AES"),
    F( 284, "r702drgc",  hfp8, "Calls to generate an RSA signature", "requests"),
    # +292: 16 bytes not described
    F( 308, "r702drvc",  hfp8, "Calls to verify an RSA signature", "requests"),
    # +316: 16 bytes not described
    F( 332, "r702degc",  hfp8, "Calls to generate an ECC signature", "requests"),
    # +340: 16 bytes not described
    F( 356, "r702devc",  hfp8, "Calls to verify an ECC signature", "requests"),
    # +364: 16 bytes not described
    F( 380, "r702amgc",  hfp8, "Calls to generate a MAC with AES", "requests"),
    F( 388, "r702amgb",  hfp8, "Bytes a MAC was generated for with AES", "bytes"),
    F( 396, "r702amgi",  hfp8, "Instructions to generate a MAC with AES"),
    F( 404, "r702amvc",  hfp8, "Calls to verify a MAC with AES", "requests"),
    F( 412, "r702amvb",  hfp8, "Bytes a MAC was verified for with AES", "bytes"),
    F( 420, "r702amvi",  hfp8, "Instructions to verify a MAC with AES"),
    F( 428, "r702fpec",  hfp8, "Calls to encipher with FPE", "requests"),
    F( 436, "r702fpeb",  hfp8, "Bytes enciphered with FPE", "bytes"),
    F( 444, "r702fpei",  hfp8, "Instructions to encipher with FPE"),
    F( 452, "r702fpdc",  hfp8, "Calls to decipher with FPE", "requests"),
    F( 460, "r702fpdb",  hfp8, "Bytes deciphered with FPE", "bytes"),
    F( 468, "r702fpdi",  hfp8, "Instructions to decipher with FPE"),
    F( 476, "r702fptc",  hfp8, "Calls to translate with FPE", "requests"),
    F( 484, "r702fptb",  hfp8, "Bytes translated with FPE", "bytes"),
    F( 492, "r702fpti",  hfp8, "Instructions to translate with FPE"),
    F( 500, "r702fxec",  hfp8, "Calls to encipher with FFX", "requests"),
    F( 508, "r702fxeb",  hfp8, "Bytes enciphered with FFX", "bytes"),
    F( 516, "r702fxei",  hfp8, "Instructions to encipher with FFX"),
    F( 524, "r702fxdc",  hfp8, "Calls to decipher with FFX", "requests"),
    F( 532, "r702fxdb",  hfp8, "Bytes deciphered with FFX", "bytes"),
    F( 540, "r702fxdi",  hfp8, "Instructions to decipher with FFX"),
    F( 548, "r702fxtc",  hfp8, "Calls to translate with FFX", "requests"),
    F( 556, "r702fxtb",  hfp8, "Bytes translated with FFX", "bytes"),
    F( 564, "r702fxti",  hfp8, "Instructions to translate with FFX"),
    F( 572, "r702dqgc",  hfp8, "Calls to generate a quantum-safe signature", "requests"),
    # +580: 16 bytes not described
    F( 596, "r702dqvc",  hfp8, "Calls to verify a quantum-safe signature", "requests"),
), "1src")

PKCS11 = Section("smf70_2_pkcs11", "One card that runs as PKCS11 coprocessor", f"{_SOURCE} PKCS11 coprocessor section (R7025)", 98, (
    #  +dec  name          kind    meaning
    F(   0, "r7025ax",     u1,     "Index of the crypto processor"),
    F(   1, "r7025ct",     u1,     "Type of the card: 10 CEX4P, 11 CEX5P, 12 CEX6P, 13 CEX7P, 14 CEX8P"),
    F(   2, "r7025msk",    flags1, "What is valid: bit 0 slow asymmetric, 1 fast asymmetric, 2 partial symmetric, 3 final symmetric, 4 keys"),
    F(   3, "r7025mt",     u1,     "Byte for diagnosis", "", "1src"),
    # +4: 4 bytes not described
    F(   8, "r7025sf",     hfp8,   "Seconds in one unit of the times here"),
    F(  16, "r7025sat",    hfp8,   "Time of slow asymmetric functions, in units of r7025sf"),
    F(  24, "r7025sac",    hfp8,   "Slow asymmetric functions", "requests"),
    F(  32, "r7025fat",    hfp8,   "Time of fast asymmetric functions, in units of r7025sf"),
    F(  40, "r7025fac",    hfp8,   "Fast asymmetric functions", "requests"),
    F(  48, "r7025spt",    hfp8,   "Time of symmetric functions that gave part of a result, in units of r7025sf"),
    F(  56, "r7025spc",    hfp8,   "Symmetric functions that gave part of a result", "requests"),
    F(  64, "r7025sct",    hfp8,   "Time of symmetric functions that gave the final result, in units of r7025sf"),
    F(  72, "r7025scc",    hfp8,   "Symmetric functions that gave the final result", "requests"),
    F(  80, "r7025agt",    hfp8,   "Time of asymmetric key generation, in units of r7025sf", "", "1src"),
    F(  88, "r7025agc",    hfp8,   "Asymmetric keys generated", "requests", "1src"),
    F(  96, "r7025scope",  u1,     "What is counted: 0 the whole machine, 1 this system", "", "1src"),
    F(  97, "r7025did",    u1,     "Domain, where r7025scope is 1", "", "1src"),
))

CRYPTO_ACTIVITY = Record(
    70, 2, "Cryptographic hardware activity", HEADER,
    parts=(
        triplet(28, PRODUCT),
        triplet(36, CCA),
        triplet(44, ACCELERATOR),
        triplet(52, ICSF),
        triplet(60, PKCS11),
    ),
    interval=Interval(PRODUCT, system="smf70snm", date="smf70dat", start="smf70ist", length="smf70int"),
    evidence=rmf_evidence(PRODUCT),
)

RECORDS = (CRYPTO_ACTIVITY,)

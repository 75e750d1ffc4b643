/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The public headers seen from C. What C can check while compiling is in layout_checks.h; constant objects
 * are no constant expressions in C, so they are compared here, as is what HcclCommConfigInit writes.
 */
#include <stdio.h>
#include <string.h>

#include "layout_checks.h"

static int failures = 0;

static void Expect(const char* what, long long actual, long long expected) {
  if (actual != expected) {
    printf("%s is %lld, expected %lld\n", what, actual, expected);
    ++failures;
  }
}

static void CheckConstants(void) {
#define ABI_CONSTANT(name, value) Expect(#name, name, value);
#include "abi_constants.inc"
#undef ABI_CONSTANT
}

static void ExpectField(const HcclCommConfig* config, const char* what, size_t offset, size_t bytes,
                        unsigned long long expected) {
  unsigned long long actual = 0; /* little endian, as every platform of CANN */
  memcpy(&actual, (const char*)config + offset, bytes);
  Expect(what, (long long)actual, (long long)expected);
}

/* Offsets and values as numbers: this is what a library built elsewhere reads. */
static void CheckConfigInit(void) {
  HcclCommConfig config;
  memset(&config, 0x5a, sizeof(config));
  HcclCommConfigInit(&config);
  ExpectField(&config, "size", 0, 8, 2248);
  ExpectField(&config, "magic word", 8, 4, 0xf0f0f0f0U);
  ExpectField(&config, "version", 12, 4, 11);
  ExpectField(&config, "reserved", 16, 8, 0);
  ExpectField(&config, "hcclBufferSize", 24, 4, 0xffffffffU);
  ExpectField(&config, "hcclDeterministic", 28, 4, 0xffffffffU);
  ExpectField(&config, "hcclCommName[0]", 32, 1, 0);
  ExpectField(&config, "hcclCommName[1], which stays", 33, 1, 0x5a);
  ExpectField(&config, "hcclUdi[0]", 160, 1, 0);
  ExpectField(&config, "hcclOpExpansionMode", 288, 4, 0);
  ExpectField(&config, "hcclRdmaTrafficClass", 292, 4, 0xffffffffU);
  ExpectField(&config, "hcclRdmaServiceLevel", 296, 4, 0xffffffffU);
  ExpectField(&config, "hcclWorldRankID", 300, 4, 0);
  ExpectField(&config, "hcclJobID", 304, 8, 0);
  ExpectField(&config, "aclGraphZeroCopyEnable", 312, 1, 0);
  ExpectField(&config, "hcclExecTimeOut", 316, 4, 0xffffffffU);
  ExpectField(&config, "hcclAlgo[0]", 320, 1, 0);
  ExpectField(&config, "hcclRetryEnable[0]", 1920, 1, 0);
  ExpectField(&config, "hcclRetryParams[0]", 1970, 1, 0);
  ExpectField(&config, "hcclBufferName[0]", 2098, 1, 0);
  ExpectField(&config, "hcclQos", 2228, 4, 0xffffffffU);
  ExpectField(&config, "hcclSymWinMaxMemSizePerRank", 2232, 8, 16);
  ExpectField(&config, "hcclChannelSqDepth", 2240, 4, 0xffffffffU);
  HcclCommConfigInit(NULL);
}

int main(void) {
  CheckConstants();
  CheckConfigInit();
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}

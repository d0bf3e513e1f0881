#pragma once
#include <stddef.h>
#include <stdint.h>

/// libFuzzer's main loop, which a program may call itself.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*run)(const uint8_t *data, size_t size));

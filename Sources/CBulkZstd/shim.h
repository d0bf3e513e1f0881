#ifndef BULK_ZSTD_SHIM_H
#define BULK_ZSTD_SHIM_H

#include <zstd.h>

#endif

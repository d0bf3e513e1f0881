#ifndef BULK_ZLIB_SHIM_H
#define BULK_ZLIB_SHIM_H

/* What is read is then a pointer to constant bytes. */
#define ZLIB_CONST
#include <zlib.h>

#endif

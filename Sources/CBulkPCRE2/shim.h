#ifndef BULK_PCRE2_SHIM_H
#define BULK_PCRE2_SHIM_H

/* Core Data counts units of UTF-16. */
#define PCRE2_CODE_UNIT_WIDTH 16
#include <pcre2.h>

#endif

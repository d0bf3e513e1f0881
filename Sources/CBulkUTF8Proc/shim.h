#ifndef BULK_UTF8PROC_SHIM_H
#define BULK_UTF8PROC_SHIM_H

#include <utf8proc.h>

#endif

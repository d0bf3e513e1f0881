#ifndef BULK_SQLITE_SHIM_H
#define BULK_SQLITE_SHIM_H

#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift cannot import. */
static inline sqlite3_destructor_type bulk_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/* sqlite3_config takes a variable number of arguments, which Swift cannot pass. SQLite then counts no
   memory, and threads that use it do not wait for each other's counts. It must be the first call. */
static inline int bulk_sqlite_count_no_memory(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* These codes are expressions, which Swift does not import either. */
enum {
  BULK_SQLITE_IOERR_READ = SQLITE_IOERR_READ,
  BULK_SQLITE_IOERR_SHORT_READ = SQLITE_IOERR_SHORT_READ
};

#endif

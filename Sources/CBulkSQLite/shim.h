#ifndef BULK_SQLITE_SHIM_H
#define BULK_SQLITE_SHIM_H

#include <sqlite3.h>

/* The commit from which the program is built, which tools/package defines: the compiler of Swift has no
   definitions with values. */
#ifndef BULKMIGRATE_COMMIT
#define BULKMIGRATE_COMMIT ""
#endif
static inline const char *bulk_commit(void) { return BULKMIGRATE_COMMIT; }

/* SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift cannot import. */
static inline sqlite3_destructor_type bulk_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/* sqlite3_config takes a variable number of arguments, which Swift cannot pass. SQLite then counts no
   memory, and threads that use it do not wait for each other's counts. It must be the first call. */
static inline int bulk_sqlite_count_no_memory(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* sqlite3_db_config does so too. No trigger of a connection fires then, and statements are compiled without them. */
static inline int bulk_sqlite_fire_no_triggers(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
}

/* Whether text in double quotes that is not a name of a column counts as a text; a variable number of arguments, too. */
static inline void bulk_sqlite_allow_quoted_texts(sqlite3 *database, int allowed) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, allowed, (int *)0);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, allowed, (int *)0);
}

/* Copies between open files that the system does by itself: sharing blocks takes a call that Swift does not
   import, and copying a range is declared for GNU sources alone. They fail where the system has neither. */
#if defined(__linux__)
#include <errno.h>
#include <linux/fs.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
static inline int bulk_share_blocks(int source, int copy) { return ioctl(copy, FICLONE, source); }
static inline long bulk_copy_range(int source, int copy, long long offset, size_t count) {
  long long from = offset, to = offset;
  return syscall(SYS_copy_file_range, source, &from, copy, &to, count, 0u);
}
/* Lets the system begin to put what was written to a file on disk, and waits until that is done before an offset; no
   journal of the file system is written for that. */
static inline int bulk_write_back(int file, long long done) {
  enum { wait = 1, begin = 2 };
  if (done > 0 && syscall(SYS_sync_file_range, file, 0LL, done, wait) != 0) return errno == ENOSYS ? 0 : -1;
  return syscall(SYS_sync_file_range, file, 0LL, 0LL, begin) == 0 || errno == ENOSYS ? 0 : -1;
}
/* Writes all that the file system of an open file has to write; declared for GNU sources alone, too. */
enum { BULK_CAN_SYNC_FILE_SYSTEM = 1 };
static inline int bulk_sync_file_system(int file) { return (int)syscall(SYS_syncfs, file); }
/* Lets the system kill this process, and what it becomes, when its parent ends: a variable number of arguments. */
static inline int bulk_end_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL); }
#else
#include <stddef.h>
static inline int bulk_write_back(int file, long long done) { return 0; }
static inline int bulk_end_with_parent(void) { return -1; }
enum { BULK_CAN_SYNC_FILE_SYSTEM = 0 };
static inline int bulk_sync_file_system(int file) { return -1; }
static inline int bulk_share_blocks(int source, int copy) { return -1; }
static inline long bulk_copy_range(int source, int copy, long long offset, size_t count) { return -1; }
#endif

/* These codes are expressions, which Swift does not import either. */
enum {
  BULK_SQLITE_IOERR_READ = SQLITE_IOERR_READ,
  BULK_SQLITE_IOERR_SHORT_READ = SQLITE_IOERR_SHORT_READ,
  BULK_SQLITE_READONLY_DBMOVED = SQLITE_READONLY_DBMOVED
};

/* Whether two pieces of memory hold the same bytes. */
#include <string.h>
static inline int bulk_bytes_differ(const void *one, const void *other, size_t count) {
  return memcmp(one, other, count);
}

#endif

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

/* One heap for all threads, of which free memory goes back to the system: glibc would give each thread a
   heap of its own, and keep more and more of what was freed. Other C libraries do not ask for it. */
#if defined(__GLIBC__)
#include <malloc.h>
static inline void bulk_heap_stay_small(void) {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, 256 * 1024);
  mallopt(M_TRIM_THRESHOLD, 256 * 1024);
}
/* Returns to the system what was freed. */
static inline void bulk_heap_give_back(void) { malloc_trim(0); }
#else
static inline void bulk_heap_stay_small(void) {}
static inline void bulk_heap_give_back(void) {}
#endif

/* Threads that are begun without a word about their stacks, those of SQLite among them, have that of the
   process, which may be too small for any work. Other C libraries give them a size of their own. */
#if defined(__GLIBC__)
#include <pthread.h>
/* Declared for GNU sources alone. */
int pthread_setattr_default_np(const pthread_attr_t *attributes);
static inline void bulk_threads_have_room(void) {
  const size_t least = 1 << 20;
  pthread_attr_t attributes;
  size_t size;
  if (pthread_attr_init(&attributes) != 0) return;
  if (pthread_attr_getstacksize(&attributes, &size) == 0 && size < least
      && pthread_attr_setstacksize(&attributes, least) == 0)
    pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}
#else
static inline void bulk_threads_have_room(void) {}
#endif

/* Copies between open files that the system does by itself: sharing blocks takes a call that Swift does not
   import, and copying a range is declared for GNU sources alone. They fail where the system has neither. */
#if defined(__linux__)
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
static inline int bulk_share_blocks(int source, int copy) { return ioctl(copy, FICLONE, source); }
static inline long bulk_copy_range(int source, int copy, long long offset, size_t count) {
  long long from = offset, to = offset;
  return syscall(SYS_copy_file_range, source, &from, copy, &to, count, 0u);
}
#else
#include <stddef.h>
static inline int bulk_share_blocks(int source, int copy) { return -1; }
static inline long bulk_copy_range(int source, int copy, long long offset, size_t count) { return -1; }
#endif

/* These codes are expressions, which Swift does not import either. */
enum {
  BULK_SQLITE_IOERR_READ = SQLITE_IOERR_READ,
  BULK_SQLITE_IOERR_WRITE = SQLITE_IOERR_WRITE,
  BULK_SQLITE_IOERR_FSYNC = SQLITE_IOERR_FSYNC,
  BULK_SQLITE_IOERR_SHORT_READ = SQLITE_IOERR_SHORT_READ,
  BULK_SQLITE_READONLY_DBMOVED = SQLITE_READONLY_DBMOVED
};

/* Whether two pieces of memory hold the same bytes. */
#include <string.h>
static inline int bulk_bytes_differ(const void *one, const void *other, size_t count) {
  return memcmp(one, other, count);
}

#endif

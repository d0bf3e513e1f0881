/* Stands between a program and the C library, and counts, logs, fails or ends what the program does to
   files under one folder. Loaded with LD_PRELOAD; tools/prove builds and drives it.

   FAULTS_UNDER   the folder, absolute; nothing else is touched
   FAULTS_LOG     a file to which every call is appended, see record()
   FAULTS_AT      the number of the call at which something happens, from 1
   FAULTS_ACTION  what happens there:
                  an error number   the call does nothing and fails with it
                  short             a write writes half of its bytes and says so
                  torn              a write writes half of its bytes; it and all later writes find no space
                  full              it and all later calls that need space fail with ENOSPC
                  kill              the process dies before the call
   FAULTS_HURRY   set where waiting for the disk may be left out, because nobody will cut the power
   FAULTS_COUNT   a file to which the number of calls is written at the end

   Calls are those that change files or folders or wait for the disk. Where a program reads, nothing is
   counted. With SCHEDULED the same calls are where schedule.h lets other processes go on. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <linux/fs.h>
#include <unistd.h>

#define FILE_LIMIT 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *paths[FILE_LIMIT];
static unsigned long inodes[FILE_LIMIT];
static const char *under;
static size_t under_length;
static const char *action = "";
static long at;
static long calls;
static int is_full;
static int hurries;
static int log_file = -1;
static const char *count_file;
static pid_t owner;

#ifdef SCHEDULED
static void begin_schedule(void);
#endif

/* Unlocks and returns a result, with the error that the call left. */
#define DONE(result) \
  do { int error = errno; pthread_mutex_unlock(&lock); errno = error; return result; } while (0)

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void begin(void) {
  owner = getpid();
  under = getenv("FAULTS_UNDER");
  if (!under) return;
  under_length = strlen(under);
  const char *text = getenv("FAULTS_AT");
  at = text ? atol(text) : 0;
  if (getenv("FAULTS_ACTION")) action = getenv("FAULTS_ACTION");
  count_file = getenv("FAULTS_COUNT");
  hurries = getenv("FAULTS_HURRY") != NULL;
  const char *log = getenv("FAULTS_LOG");
  if (log) {
    int descriptor = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    /* High, so that the program gets the descriptors that it would get without. */
    log_file = (int)syscall(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, FILE_LIMIT / 2);
    if (log_file < 0) log_file = descriptor; else syscall(SYS_close, descriptor);
  }
#ifdef SCHEDULED
  begin_schedule();
#endif
}

__attribute__((destructor)) static void end(void) {
  if (!count_file || owner != getpid()) return;
  char text[32];
  int length = snprintf(text, sizeof text, "%ld\n", calls);
  int descriptor = (int)syscall(SYS_openat, AT_FDCWD, count_file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  syscall(SYS_write, descriptor, text, length);
  syscall(SYS_close, descriptor);
}

/* Makes a path absolute without following its last part. */
static const char *absolute(int folder, const char *path, char *place) {
  if (!path) return NULL;
  if (path[0] == '/') return path;
  char start[PATH_MAX];
  if (folder == AT_FDCWD) {
    if (!getcwd(start, sizeof start)) return NULL;
  } else {
    if (folder < 0 || folder >= FILE_LIMIT || !paths[folder]) return NULL;
    snprintf(start, sizeof start, "%s", paths[folder]);
  }
  while (path[0] == '.' && path[1] == '/') path += 2;
  if (strcmp(path, ".") == 0) snprintf(place, PATH_MAX, "%.2000s", start);
  else snprintf(place, PATH_MAX, "%.2000s/%.2000s", start, path);
  return place;
}

static int is_under(const char *path) {
  return under && path && strncmp(path, under, under_length) == 0
    && (path[under_length] == '/' || path[under_length] == 0);
}

/* lstat, unseen by schedule.h. */
static int look(const char *path, struct stat *status) {
  return (int)syscall(SYS_newfstatat, AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}

static unsigned long inode_of(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 ? (unsigned long)status.st_ino : 0;
}

/* The path of a descriptor; one that was closed unseen, as by closedir, may be that of something else by now. */
static const char *path_of(int descriptor) {
  if (descriptor < 0 || descriptor >= FILE_LIMIT || !paths[descriptor]) return NULL;
  return inode_of(descriptor) == inodes[descriptor] ? paths[descriptor] : NULL;
}

/* Appends a line: number, call, inode, offset, length of the bytes that follow the line, and the paths,
   separated by tabs; and then these bytes. It leaves the error as it is. */
static void record(const char *call, unsigned long inode, long offset, const void *bytes, long length,
                   const char *path, const char *other) {
  if (log_file < 0) return;
  int error = errno;
  char line[2 * PATH_MAX + 200];
  int count = snprintf(line, sizeof line, "%ld\t%s\t%lu\t%ld\t%ld\t%s\t%s\n", calls, call, inode, offset,
                       bytes ? length : 0, path ? path : "", other ? other : "");
  syscall(SYS_write, log_file, line, count);
  if (bytes) syscall(SYS_write, log_file, bytes, length);
  errno = error;
}

enum verdict { GO, FAIL, SHORT };

#ifdef SCHEDULED
#include "schedule.h"
#else
#define turn() (void)0
#define after_write() (void)0
#define maybe_foreign(path) (void)0
#endif

/* Counts a call and says what becomes of it; the lock is held. */
static enum verdict next_call(int needs_space, int is_write) {
  calls += 1;
#ifdef SCHEDULED
  if (schedule) return drawn(needs_space, is_write);
#endif
  if (is_full && needs_space) { errno = ENOSPC; return FAIL; }
  if (calls != at) return GO;
  if (strcmp(action, "kill") == 0) { syscall(SYS_kill, getpid(), SIGKILL); for (;;) pause(); }
  if (strcmp(action, "full") == 0) {
    is_full = 1;
    if (!needs_space) return GO;
    errno = ENOSPC;
    return FAIL;
  }
  if (strcmp(action, "short") == 0) return is_write ? SHORT : GO;
  if (strcmp(action, "torn") == 0) { is_full = 1; return is_write ? SHORT : GO; }
  errno = atoi(action);
  return errno ? FAIL : GO;
}

static void remember(int descriptor, const char *path) {
  if (descriptor < 0 || descriptor >= FILE_LIMIT) return;
  free(paths[descriptor]);
  paths[descriptor] = path ? strdup(path) : NULL;
  inodes[descriptor] = path ? inode_of(descriptor) : 0;
}

/* open and its kin: only a call that makes or empties a file counts. */
static int opened(int folder, const char *path, int flags, mode_t mode) {
  char place[PATH_MAX];
#ifdef SCHEDULED
  if (schedule && strcmp(path, "/dev/urandom") == 0) return random_file();
#endif
  const char *full = absolute(folder, path, place);
  if (!is_under(full)) {
    int descriptor = (int)syscall(SYS_openat, folder, path, flags, mode);
    pthread_mutex_lock(&lock);
    remember(descriptor, NULL);
    pthread_mutex_unlock(&lock);
    return descriptor;
  }
  char copy[PATH_MAX];
  snprintf(copy, sizeof copy, "%s", full);
  turn();
  pthread_mutex_lock(&lock);
  struct stat status;
  if (flags & O_CREAT) maybe_foreign(copy);
  int was_there = look(copy, &status) == 0;
  int changes = (!was_there && (flags & O_CREAT)) || (was_there && (flags & O_TRUNC) && status.st_size > 0);
  int descriptor = -1;
  if (!changes || next_call(!was_there, 0) == GO) {
    descriptor = (int)syscall(SYS_openat, folder, path, flags, mode);
    if (descriptor >= 0) {
      remember(descriptor, copy);
      if (changes) record(was_there ? "empty" : "create", inode_of(descriptor), 0, NULL, 0, copy, NULL);
    }
  }
  DONE(descriptor);
}

#define MODE() \
  mode_t mode = 0; \
  if (flags & (O_CREAT | O_TMPFILE)) { va_list list; va_start(list, flags); mode = va_arg(list, mode_t); va_end(list); }

int open(const char *path, int flags, ...) { MODE(); return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(); return opened(AT_FDCWD, path, flags, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE(); return opened(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE(); return opened(folder, path, flags, mode); }
int creat(const char *path, mode_t mode) { return opened(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

int close(int descriptor) {
  REAL(close);
  pthread_mutex_lock(&lock);
  if (path_of(descriptor)) remember(descriptor, NULL);
  pthread_mutex_unlock(&lock);
  return real(descriptor);
}

/* All writes: at an offset, or at the descriptor's own where that is -1. */
static ssize_t written(int descriptor, const void *bytes, size_t count, off_t offset) {
  if (path_of(descriptor)) turn();
  pthread_mutex_lock(&lock);
  const char *path = path_of(descriptor);
  ssize_t result = -1;
  enum verdict verdict = path ? next_call(1, 1) : GO;
  if (verdict == SHORT) {
    if (count > 1) count /= 2;
    else if (is_full) { verdict = FAIL; errno = ENOSPC; }
  }
  if (verdict != FAIL) {
    off_t place = offset;
    if (path && offset < 0) {
      int flags = fcntl(descriptor, F_GETFL);
      place = flags & O_APPEND ? -1 : lseek(descriptor, 0, SEEK_CUR);
      struct stat status;
      if (place < 0 && fstat(descriptor, &status) == 0) place = status.st_size;
    }
    result = offset < 0 ? syscall(SYS_write, descriptor, bytes, count)
                        : syscall(SYS_pwrite64, descriptor, bytes, count, offset);
    if (path && result > 0) record("write", inode_of(descriptor), place, bytes, result, path, NULL);
    after_write();
  }
  DONE(result);
}

ssize_t write(int descriptor, const void *bytes, size_t count) { return written(descriptor, bytes, count, -1); }
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  return written(descriptor, bytes, count, offset);
}
ssize_t pwrite64(int, const void *, size_t, off64_t) __attribute__((alias("pwrite")));

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  if (!path_of(descriptor)) return syscall(SYS_writev, descriptor, parts, count);
  ssize_t sum = 0;
  for (int index = 0; index < count; index += 1) {
    ssize_t result = written(descriptor, parts[index].iov_base, parts[index].iov_len, -1);
    if (result < 0) return sum > 0 ? sum : -1;
    sum += result;
    if ((size_t)result < parts[index].iov_len) break;
  }
  return sum;
}

/* Copies by the kernel would not be seen; there are none, and programs read and write. */
long syscall(long number, ...) {
  static long (*real)(long, ...);
  if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  va_list list;
  va_start(list, number);
  long one = va_arg(list, long), two = va_arg(list, long), three = va_arg(list, long), four = va_arg(list, long),
    five = va_arg(list, long), six = va_arg(list, long);
  va_end(list);
  if (number == SYS_copy_file_range) { errno = ENOSYS; return -1; }
  return real(number, one, two, three, four, five, six);
}

ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t count, unsigned flags) {
  return syscall(SYS_copy_file_range, in, from, out, to, count, flags);
}

ssize_t sendfile(int out, int in, off_t *from, size_t count) {
  if (!path_of(out)) return syscall(SYS_sendfile, out, in, from, count);
  errno = ENOSYS;
  return -1;
}
ssize_t sendfile64(int, int, off64_t *, size_t) __attribute__((alias("sendfile")));

/* A clone of a whole file is refused, as by a file system that has none. */
int ioctl(int descriptor, unsigned long request, ...) {
  va_list list;
  va_start(list, request);
  void *argument = va_arg(list, void *);
  va_end(list);
  if (path_of(descriptor) && (request == FICLONE || request == FICLONERANGE)) { errno = EOPNOTSUPP; return -1; }
  return (int)syscall(SYS_ioctl, descriptor, request, argument);
}

/* A call on a descriptor that is not a write. */
#define DESCRIBED(needs_space, call, offset, perform) \
  if (path_of(descriptor)) turn(); \
  pthread_mutex_lock(&lock); \
  const char *path = path_of(descriptor); \
  int result = -1; \
  if (!path || next_call(needs_space, 0) == GO) { \
    result = (int)(perform); \
    if (path && result == 0) record(call, inode_of(descriptor), offset, NULL, 0, path, NULL); \
  } \
  DONE(result);

#define SYNCED(name) \
  int name(int descriptor) { REAL(name); DESCRIBED(0, "sync", 0, hurries ? 0 : real(descriptor)) }

SYNCED(fsync)
SYNCED(fdatasync)
SYNCED(syncfs)

static int resized(int descriptor, off_t size) {
  DESCRIBED(0, "resize", size, syscall(SYS_ftruncate, descriptor, size))
}

int ftruncate(int descriptor, off_t size) { return resized(descriptor, size); }
int ftruncate64(int descriptor, off64_t size) { return resized(descriptor, size); }

static int resized_by_name(const char *path, off_t size) {
  int descriptor = opened(AT_FDCWD, path, O_WRONLY | O_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  int result = resized(descriptor, size);
  int error = errno;
  close(descriptor);
  errno = error;
  return result;
}

int truncate(const char *path, off_t size) { return resized_by_name(path, size); }
int truncate64(const char *path, off64_t size) { return resized_by_name(path, size); }

/* Room that is asked for: it grows the file, and is no other change. */
static int allocated(int descriptor, int mode, off_t offset, off_t length) {
  DESCRIBED(1, "grow", offset + length, syscall(SYS_fallocate, descriptor, mode, offset, length))
}

int fallocate(int descriptor, int mode, off_t offset, off_t length) {
  return allocated(descriptor, mode, offset, length);
}
int posix_fallocate(int descriptor, off_t offset, off_t length) {
  return allocated(descriptor, 0, offset, length) == 0 ? 0 : errno;
}
int posix_fallocate64(int, off64_t, off64_t) __attribute__((alias("posix_fallocate")));

/* Calls that change folders. */
#define NAMED(needs_space, call, one, other, perform) \
  char place[PATH_MAX], second[PATH_MAX]; \
  const char *first_path = one, *other_path = other; \
  (void)second; \
  if (!is_under(first_path) && !is_under(other_path)) return (int)(perform); \
  turn(); \
  pthread_mutex_lock(&lock); \
  int result = -1; \
  if (needs_space || other_path) maybe_foreign(other_path ? other_path : first_path); \
  if (next_call(needs_space, 0) == GO) { \
    result = (int)(perform); \
    struct stat status; \
    if (result == 0) \
      record(call, look(other_path ? other_path : first_path, &status) == 0 ? status.st_ino : 0, 0, NULL, 0, first_path, other_path); \
  } \
  DONE(result);

int renameat2(int from, const char *path, int to, const char *name, unsigned flags) {
  NAMED(0, "rename", absolute(from, path, place), absolute(to, name, second),
        syscall(SYS_renameat2, from, path, to, name, flags))
}
int renameat(int from, const char *path, int to, const char *name) { return renameat2(from, path, to, name, 0); }
int rename(const char *path, const char *name) { return renameat(AT_FDCWD, path, AT_FDCWD, name); }
int linkat(int from, const char *path, int to, const char *name, int flags) {
  NAMED(1, "link", absolute(from, path, place), absolute(to, name, second),
        syscall(SYS_linkat, from, path, to, name, flags))
}
int link(const char *path, const char *name) { return linkat(AT_FDCWD, path, AT_FDCWD, name, 0); }
int mkdirat(int folder, const char *path, mode_t mode) {
  NAMED(1, "mkdir", absolute(folder, path, place), NULL, syscall(SYS_mkdirat, folder, path, mode))
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }
int unlinkat(int folder, const char *path, int flags) {
  NAMED(0, flags & AT_REMOVEDIR ? "rmdir" : "unlink", absolute(folder, path, place), NULL,
        syscall(SYS_unlinkat, folder, path, flags))
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char *path) {
  struct stat status;
  return unlinkat(AT_FDCWD, path, look(path, &status) == 0 && S_ISDIR(status.st_mode) ? AT_REMOVEDIR : 0);
}
int symlinkat(const char *target, int folder, const char *path) {
  NAMED(1, "symlink", absolute(folder, path, place), NULL, syscall(SYS_symlinkat, target, folder, path))
}
int symlink(const char *target, const char *path) { return symlinkat(target, AT_FDCWD, path); }

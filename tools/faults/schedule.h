/* One host for several processes: of all their threads one goes on at a time, and at every call that
   changes, opens or looks at a file under the folder, random numbers say which. Clocks and random numbers
   come from the host too, so that a seed is a schedule. tools/protocol/schedules.py makes the host, a file that all map,
   starts the processes and gives the turn to one of them; who ends or is killed gives it back. Part of
   faults.c.

   FAULTS_HOST    the file
   FAULTS_ACTOR   the number of this process's first thread in it
   FAULTS_REMOTE  set where this is another machine, with a name of its own, whose locks nobody sees */
#include <dirent.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>

#define ACTORS 64
#define DRIVER -1

/* The driver writes it with Python's struct, as 32-bit numbers before the 64-bit ones. */
struct schedule {
  int turn;                 /* the actor that goes on, or DRIVER */
  int actors;               /* how many there were */
  int switches;             /* how often, of 1,000 calls, another one goes on */
  int faults;               /* how many are left */
  int rate;                 /* how many of 100,000 calls that change something have one */
  int kinds;                /* a bit for each kind of fault */
  int is_cut;               /* the power was cut */
  int foreigners;           /* files of others that were made */
  unsigned long random;
  unsigned long clock;      /* nanoseconds since the beginning */
  long offset;              /* of the time of day, in nanoseconds */
  unsigned long points;     /* calls at which the turn might pass, and a sum over them that tells schedules apart */
  unsigned long trail;
  struct { int lives, process; unsigned long stands_until; } actor[ACTORS];
};

enum kind { KILL, CUT, NO_SPACE, NO_SPACE_ONCE, INPUT_OUTPUT, HALF, TORN, JUMP, STAND, KINDS, FOREIGN = KINDS };

static struct schedule *schedule;
static __thread int self = DRIVER;
static int process, is_remote;

static unsigned long draw(void) {
  unsigned long x = schedule->random;
  x ^= x << 13; x ^= x >> 7; x ^= x << 17;
  return schedule->random = x;
}

static void wait_for_turn(void) {
  int found;
  while ((found = __atomic_load_n(&schedule->turn, __ATOMIC_ACQUIRE)) != self)
    syscall(SYS_futex, &schedule->turn, FUTEX_WAIT, found, NULL, NULL, 0);
}

static void give_turn(int actor) {
  __atomic_store_n(&schedule->turn, actor, __ATOMIC_RELEASE);
  syscall(SYS_futex, &schedule->turn, FUTEX_WAKE, 1 << 30, NULL, NULL, 0);
}

/* Another actor, or the same where there is none. */
static int other_actor(void) {
  int able[ACTORS], count = 0;
  for (int pass = 0; pass < 2 && count == 0; pass++)
    for (int index = 0; index < schedule->actors; index++)
      if (schedule->actor[index].lives && index != self
          && (pass || schedule->actor[index].stands_until <= schedule->points))
        able[count++] = index;
  return count ? able[draw() % count] : self;
}

static void pass_turn(void) {
  int next = other_actor();
  if (next == self) return;
  give_turn(next);
  wait_for_turn();
}

/* A call at which others may go on. */
static void turn(void) {
  if (self == DRIVER) return;
  schedule->points += 1;
  schedule->clock += 20000;
  schedule->trail = (schedule->trail ^ (unsigned long)(self + 1)) * 1099511628211UL;
  if (schedule->actor[self].stands_until > schedule->points || (int)(draw() % 1000) < schedule->switches) pass_turn();
}

static void die(void) {
  syscall(SYS_kill, getpid(), SIGKILL);
  for (;;) pause();
}

static int dies_then;

/* What becomes of a call that changes something. */
static enum verdict drawn(int needs_space, int is_write) {
  if (is_full && needs_space) { errno = ENOSPC; return FAIL; }
  if (schedule->faults == 0 || (int)(draw() % 100000) >= schedule->rate) return GO;
  enum kind kind = draw() % KINDS;
  if (!(schedule->kinds & 1 << kind)) return GO;
  schedule->faults -= 1;
  schedule->trail = (schedule->trail ^ (unsigned long)(100 + kind)) * 1099511628211UL;
  switch (kind) {
    case KILL: die(); return FAIL;
    case CUT: schedule->is_cut = 1; die(); return FAIL;
    case NO_SPACE: is_full = 1; /* fall through */
    case NO_SPACE_ONCE: if (!needs_space) return GO; errno = ENOSPC; return FAIL;
    case INPUT_OUTPUT: errno = EIO; return FAIL;
    case HALF: return is_write ? SHORT : GO;
    case TORN: dies_then = is_write; return is_write ? SHORT : GO;
    case JUMP: schedule->offset += ((long)(draw() % 7200) - 3600) * 1000000000L; return GO;
    case STAND: schedule->actor[self].stands_until = schedule->points + draw() % 3000; return GO;
    default: return GO;
  }
}

/* A torn write is the last thing that its process did. */
static void after_write(void) { if (dies_then) die(); }

/* A file of others gets a name just before the program would give it. */
static void maybe_foreign(const char *path) {
  if (self == DRIVER || !path || schedule->faults == 0 || !(schedule->kinds & 1 << FOREIGN)) return;
  /* Nobody guesses names with identities. */
  const char *name = strrchr(path, '/');
  if ((size_t)(name - path) != under_length || strstr(name, ".bulkmigrate-") || draw() % 40) return;
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0) return;
  schedule->faults -= 1;
  schedule->foreigners += 1;
  char text[32];
  int length = snprintf(text, sizeof text, "foreign %d\n", schedule->foreigners);
  syscall(SYS_write, file, text, length);
  unsigned long inode = inode_of(file);
  syscall(SYS_close, file);
  record("create", inode, 0, NULL, 0, path, NULL);
  record("write", inode, 0, text, length, path, NULL);
  record("foreign", inode, 0, text, length, path, NULL);
}

static void begin_schedule(void) {
  const char *path = getenv("FAULTS_HOST");
  if (!path) return;
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
  void *place = mmap(NULL, sizeof *schedule, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  syscall(SYS_close, file);
  if (place == MAP_FAILED) abort();
  schedule = place;
  self = atoi(getenv("FAULTS_ACTOR"));
  process = schedule->actor[self].process;
  is_remote = getenv("FAULTS_REMOTE") != NULL;
  wait_for_turn();
}

/* Threads are actors too. */
struct start { void *(*body)(void *); void *value; int actor; };

static void *begin_thread(void *value) {
  struct start start = *(struct start *)value;
  free(value);
  self = start.actor;
  wait_for_turn();
  void *result = start.body(start.value);
  schedule->actor[self].lives = 0;
  int next = other_actor();
  self = DRIVER;
  give_turn(next);
  return result;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *value) {
  REAL(pthread_create);
  if (!schedule || self == DRIVER) return real(thread, attributes, body, value);
  int actor = schedule->actors;
  struct start *start = malloc(sizeof *start);
  if (actor == ACTORS || !start) { free(start); return EAGAIN; }
  *start = (struct start){ body, value, actor };
  schedule->actors += 1;
  schedule->actor[actor].process = process;
  schedule->actor[actor].lives = 1;
  int code = real(thread, attributes, begin_thread, start);
  if (code) schedule->actor[actor].lives = 0;
  return code;
}

/* Where a thread would wait, others go on, and time passes. */
static void wait_a_little(void) {
  schedule->points += 1;
  schedule->clock += 1000000;
  pass_turn();
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  static int (*real)(pthread_mutex_t *);
  if (!real) real = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
  if (!schedule || self == DRIVER) return real(mutex);
  int code;
  while ((code = pthread_mutex_trylock(mutex)) == EBUSY) wait_a_little();
  return code;
}

static int is_ready(int descriptor) {
  struct pollfd request = { descriptor, POLLIN, 0 };
  return syscall(SYS_poll, &request, 1, 0) != 0;
}

int poll(struct pollfd *requests, nfds_t count, int milliseconds) {
  if (!schedule || self == DRIVER) return (int)syscall(SYS_poll, requests, count, milliseconds);
  unsigned long deadline = schedule->clock + (unsigned long)milliseconds * 1000000;
  for (;;) {
    int found = (int)syscall(SYS_poll, requests, count, 0);
    if (found || milliseconds == 0 || (milliseconds > 0 && schedule->clock >= deadline)) return found;
    wait_a_little();
  }
}

ssize_t read(int descriptor, void *bytes, size_t count) {
  if (schedule && self != DRIVER) {
    struct stat status;
    if (fstat(descriptor, &status) == 0 && S_ISFIFO(status.st_mode)) while (!is_ready(descriptor)) wait_a_little();
  }
  return syscall(SYS_read, descriptor, bytes, count);
}

int nanosleep(const struct timespec *time, struct timespec *rest) {
  if (!schedule || self == DRIVER) return (int)syscall(SYS_nanosleep, time, rest);
  unsigned long end = schedule->clock + (unsigned long)time->tv_sec * 1000000000UL + (unsigned long)time->tv_nsec;
  while (schedule->clock < end) wait_a_little();
  return 0;
}
int usleep(useconds_t microseconds) {
  struct timespec time = { microseconds / 1000000, microseconds % 1000000 * 1000L };
  return nanosleep(&time, NULL);
}

int pthread_join(pthread_t thread, void **result) {
  REAL(pthread_join);
  if (!schedule || self == DRIVER) return real(thread, result);
  static int (*attempt)(pthread_t, void **);
  if (!attempt) attempt = (int (*)(pthread_t, void **))dlsym(RTLD_NEXT, "pthread_tryjoin_np");
  int code;
  while ((code = attempt(thread, result)) == EBUSY) wait_a_little();
  return code;
}

/* 2026-01-01, and what was jumped. */
int clock_gettime(clockid_t clock, struct timespec *time) {
  if (!schedule || clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID)
    return (int)syscall(SYS_clock_gettime, clock, time);
  schedule->clock += 1000;
  unsigned long now = schedule->clock + 1000000000000UL;
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now += 1767225600UL * 1000000000UL + (unsigned long)schedule->offset;
  *time = (struct timespec){ (time_t)(now / 1000000000UL), (long)(now % 1000000000UL) };
  return 0;
}
int gettimeofday(struct timeval *time, void *zone) {
  (void)zone;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  *time = (struct timeval){ now.tv_sec, now.tv_nsec / 1000 };
  return 0;
}
time_t time(time_t *place) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (place) *place = now.tv_sec;
  return now.tv_sec;
}

ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
  if (!schedule) return syscall(SYS_getrandom, bytes, count, flags);
  for (size_t index = 0; index < count; index++) ((unsigned char *)bytes)[index] = (unsigned char)(draw() >> 24);
  return (ssize_t)count;
}

/* What /dev/urandom is: a file in memory with enough of them. */
static int random_file(void) {
  unsigned char bytes[1024];
  getrandom(bytes, sizeof bytes, 0);
  int file = (int)syscall(SYS_memfd_create, "random", 1u);
  syscall(SYS_pwrite64, file, bytes, sizeof bytes, 0L);
  return file;
}

int gethostname(char *name, size_t size) {
  snprintf(name, size, "%s", is_remote ? "remote" : "local");
  return 0;
}

/* The lock of another machine is not seen on this one. */
int flock(int descriptor, int operation) {
  if (path_of(descriptor)) turn();
  return is_remote ? 0 : (int)syscall(SYS_flock, descriptor, operation);
}

/* Looks. */
int fstatat(int folder, const char *path, struct stat *status, int flags) {
  char place[PATH_MAX];
  if (self != DRIVER && is_under(absolute(folder, path, place))) turn();
  return (int)syscall(SYS_newfstatat, folder, path, status, flags);
}
int fstatat64(int folder, const char *path, struct stat64 *status, int flags) {
  return fstatat(folder, path, (struct stat *)status, flags);
}
int lstat(const char *path, struct stat *status) { return fstatat(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW); }
int lstat64(const char *path, struct stat64 *status) { return lstat(path, (struct stat *)status); }
int stat(const char *path, struct stat *status) { return fstatat(AT_FDCWD, path, status, 0); }
int stat64(const char *path, struct stat64 *status) { return stat(path, (struct stat *)status); }

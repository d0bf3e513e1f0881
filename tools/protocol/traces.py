"""Traces of the program, which must be behaviours of its models; for tools/prove protocol.

A small store is migrated and killed behind a durable step that is drawn at random; the program goes on, and that is killed
too, up to three times. The steps that it made, by name and in their order, are looked for in a model in Plans/models.

  run    run: attempt.pml
  swap   migrate and rollback, in any order: swap.pml, and attempt.pml for what makes the new store
  fleet  fleet run, of which a worker or the coordinator is killed, or whose worker stands still while a second fleet is run
         over the same store: fleet.pml, and attempt.pml for the workers

One of the kinds is drawn for each trace. A trace is what BULKMIGRATE_TRACE writes, with KILLED where a process was
killed. Transactions between those in which an attempt begins, ends or is killed are left out of it, since the model has
few. Spin looks for a path with the steps of the trace; where there is none, the trace and the place to which it came are
printed. Of each trace one step is taken away; what is left must be refused."""
import collections, os, random, re, shutil, subprocess, tempfile

from models import MODELS, verifier
from traced import KINDS, SAID, UNTRACED, kills_of

HEADER = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char trace_names[4096][32];
static int trace_length, trace_most;
static void trace_told(void) { fprintf(stderr, "reached %d of %d\n", trace_most, trace_length); }
static int is_among(const char **names, const char *name) {
  while (*names && strcmp(*names, name)) names++;
  return *names != NULL;
}
static int is_traced(const char *name) {
  static const char *untraced[] = { UNTRACED NULL }, *said[] = { SAID NULL };
  return name[0] >= 'a' && name[0] <= 'z' ? !is_among(untraced, name) : is_among(said, name);
}
static int is_next(const char *name);
static int has_ended(void);
static void go_on(const char *name);
static void begin_trace(void);
#define TRACED \
static void begin_trace(void) { \
  FILE *file = fopen(getenv("TRACE"), "r"); \
  while (trace_length < 4096 && fscanf(file, "%31s", trace_names[trace_length]) == 1) trace_length++; \
  fclose(file); \
  sscanf(getenv("NUMBERS"), "%hhu %hhu %hhu %hhu", &now.tracedT, &now.tracedRuns[0], &now.tracedRuns[1], &now.kills); \
  atexit(trace_told); } \
static int is_next(const char *name) { \
  return !is_traced(name) || (now.traced < trace_length && !strcmp(trace_names[now.traced], name)); } \
static void go_on(const char *name) { \
  if (is_traced(name) && ++now.traced > trace_most) trace_most = now.traced; } \
static int has_ended(void) { return now.traced == trace_length; }
"""


class Verifier:
    """The verifier of a model for traces."""

    # Name, model, definitions.
    ALL = {"run": ("attempt", "LOCALS=1 NC=18"), "pair": ("attempt", "LOCALS=2 NC=18"), "swap": ("swap", "LOCALS=1 EXT=0"),
           "fleet": ("fleet", "SHARED=0 STARTS=10 OTHER_RUNS=tracedRuns[1] LINES=200")}
    made = {}

    def __init__(self, name, folder):
        self.folder = os.path.join(folder, "verifier-" + name)
        os.mkdir(self.folder)
        model, words = self.ALL[name]
        header = HEADER
        for list_name, names in (("UNTRACED", sorted(UNTRACED)), ("SAID", SAID)):
            header = header.replace(f"{list_name} NULL", "".join(f'"{name}", ' for name in names) + "NULL")
        with open(os.path.join(self.folder, "trace.h"), "w") as file:
            file.write(header)
        for file in (model + ".pml", "trace.pml"):
            shutil.copy(os.path.join(MODELS, file), self.folder)
        runs = "tracedRuns[k]" if model == "attempt" else "tracedRuns[0]"
        verifier(self.folder, model, f"TRACE T=tracedT RUNS={runs} KILLS=0 CUTS=0 FULLS=0 REMOTES=0 {words}",
                 "-O0", "-DNOREDUCE", "-DMEMLIM=2000")

    @classmethod
    def accepts(cls, behaviour, folder):
        """Whether a model has a behaviour; and how much of it."""
        if behaviour.verifier not in cls.made:
            cls.made[behaviour.verifier] = cls(behaviour.verifier, folder)
        place = cls.made[behaviour.verifier].folder
        path = os.path.join(place, "trace")
        with open(path, "w") as file:
            file.write("\n".join(behaviour.steps))
        numbers = [behaviour.transactions, *behaviour.runs, kills_of(behaviour.steps)]
        found = subprocess.run(["./pan", "-E", "-m100000"], cwd=place, capture_output=True, text=True,
                               env={**os.environ, "TRACE": path, "NUMBERS": " ".join(map(str, numbers))})
        reached = re.search(r"reached (\d+) of", found.stderr)
        # The model asserts what is false where a path has the whole trace.
        return "assertion violated 0 " in found.stdout, int(reached[1]) if reached else 0


def judge(kind, behaviours, drawn, folder, tally):
    """Whether models have all behaviours of a trace, and none where one step is missing."""
    fits = True
    for behaviour in behaviours:
        is_accepted, reached = Verifier.accepts(behaviour, folder)
        if not is_accepted:
            fits, steps = False, behaviour.steps
            print(f"a trace of the kind {kind}, for the verifier {behaviour.verifier}, {behaviour.runs} runs, "
                  f"{behaviour.transactions} transactions:\n  {' '.join(steps[:reached])}\n"
                  f"  then, which the model does not have: {' '.join(steps[reached:reached + 12])}")
    chosen = drawn.choice(behaviours)
    gap = drawn.choice([place for place, name in enumerate(chosen.steps) if name not in SAID])
    gapped = chosen._replace(steps=chosen.steps[:gap] + chosen.steps[gap + 1:])
    tally.update(traces=1, accepted=fits, strict=not Verifier.accepts(gapped, folder)[0], kills=kills_of(behaviours[0].steps),
                 steps=sum(len(behaviour.steps) for behaviour in behaviours))


def prove(found, count, options, kind):
    """A trace for each hundred cases."""
    drawn = random.Random(options.seed)
    tallies, scenes = collections.defaultdict(collections.Counter), {}
    with tempfile.TemporaryDirectory(prefix="bulkmigrate-traces-") as folder:
        for _ in range(max(3, count // 100)):
            chosen = kind or drawn.choice(list(KINDS))
            make, name = drawn.choice(KINDS[chosen])
            if name not in scenes:
                scenes[name] = make(os.path.join(folder, name), name, options)
            judge(chosen, scenes[name].traced(drawn), drawn, folder, tallies[chosen])
    for name, tally in sorted(tallies.items()):
        print(f"{name}: {tally['accepted']} of {tally['traces']} traces accepted, seed {options.seed}: {tally['kills']} kills, "
              f"{tally['steps']} steps; {tally['strict']} refused without one of their steps", flush=True)
        found.add(tally["traces"], tally["traces"] - tally["accepted"])

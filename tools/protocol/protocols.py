"""The protocol by which attempts at one migration meet; Plans/models/README.md explains it. The parts of this proof:

  models     the small configurations of all models, checked with Spin: every order of the steps of several processes, with
             kills, power cuts, full disks and files of others at every step; two minutes on two cores
  mutations  the models are changed one by one, each by one fault, and each is found
  large      the large configurations; a quarter of an hour on one core. They are left out where fewer cases than usual are tried
  traces     traces of the program are behaviours of the models; one for each hundred cases
  calls      what strace sees of a migration stands in the order that the names of its durable steps claim
  schedules  schedules of attempts, each of which is a case

Behind a colon the names of configurations and mutations begin, as in models:swap or mutations:LOCK, or it is the kind of
traces (run, swap, fleet) or of schedules (run, gates, swap).

{parts}"""
import shutil, subprocess

import calls, models, schedules, traces
from measuring import ROOT
from proving import parts

PARTS = {"models": models.prove_models, "mutations": models.prove_mutations, "large": models.prove_large,
         "traces": traces.prove, "calls": calls.prove, "schedules": schedules.prove}
__doc__ = __doc__.format(parts="\n\n".join(module.__doc__ for module in (traces, calls, schedules)))


def prove(found, count, options):
    subprocess.run(["tools/setup", "--model"], cwd=ROOT, stdout=subprocess.DEVNULL)
    for part, name in parts(options, *PARTS):
        if part in ("models", "mutations", "large", "traces") and not shutil.which("spin"):
            found.skip(f"{part}: there is no spin; tools/setup --model installs it")
        elif options.of or part != "large" or count >= 3_000:
            PARTS[part](found, count, options, name)

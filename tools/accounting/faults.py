"""Deliberate faults in the program, each of which has to be found."""
import collections, concurrent.futures, os, shutil, subprocess, sys, tempfile

import trial

# Which fault the program has, by this variable of its environment.
SWITCH = "DELIBERATE_FAULT"
SWITCHES = "Sources/BulkModel/DeliberateFault.swift"
SOURCE = f"""internal import Foundation

private let fault = ProcessInfo.processInfo.environment["{SWITCH}"].flatMap {{ Int($0) }}

package func isFaulty(_ number: Int) -> Bool {{ number == fault }}
"""
# The seeds of the cases with which faults are tried.
FIRST, STEP = 1_000_000, 20

Fault = collections.namedtuple("Fault", "what file old new")


FAULTS = [
]


def prove(root, only, cases, configuration):
    """Builds the program with all faults, which wait for their number, and tries each; 0 if each is found."""
    program = built(root, configuration)
    folder = tempfile.mkdtemp(prefix="account-faults-")
    found = 0
    numbers = [only] if only else range(1, len(FAULTS) + 1)
    with concurrent.futures.ProcessPoolExecutor() as pool:
        def differences(number, cases):
            arguments = [(case, program, folder, number) for case in cases]
            return [set(lines) for lines in pool.map(tried, arguments)]

        right = {}
        for number in numbers:
            line = None
            for first in range(FIRST, FIRST + cases, STEP):
                chunk = range(first, first + STEP)
                if first not in right:
                    right[first] = differences(0, chunk)
                for case, before, after in zip(chunk, right[first], differences(number, chunk)):
                    line = line or next((f"case {case}: {each}" for each in sorted(after - before)), None)
                if line:
                    break
            found += line is not None
            print(f"{'found ' if line else 'MISSED'}  {number:2}  {FAULTS[number - 1].what}: "
                  f"{line or f'{cases} cases do not differ'}", flush=True)
    shutil.rmtree(folder)
    print(f"account: {found} of {len(numbers)} faults are found")
    return 0 if found == len(numbers) else 1


def tried(arguments):
    case, program, folder, number = arguments
    done = trial.Trial(case, program, os.path.join(folder, str(number)), {SWITCH: str(number)}).run()
    shutil.rmtree(done.place)
    return [f"{kind}: {text}" for kind, text in done.differences]


def built(root, configuration):
    """The program with the faults, of a copy of the tree that stays for the next time."""
    copy = os.path.join(root, ".build", "account-faults")
    for name in ("Sources", "Tests", "Plans", "Package.swift"):
        path = os.path.join(copy, name)
        if os.path.isdir(path):
            shutil.rmtree(path)
        if os.path.isdir(os.path.join(root, name)):
            shutil.copytree(os.path.join(root, name), path)
        else:
            shutil.copy2(os.path.join(root, name), path)
    with open(os.path.join(copy, SWITCHES), "w") as file:
        file.write(SOURCE)
    for fault in FAULTS:
        path = os.path.join(copy, fault.file)
        with open(path) as file:
            text = file.read()
        if text.count(fault.old) != 1:
            sys.exit(f"account: {fault.file} has {text.count(fault.old)} places for the fault: {fault.what}")
        with open(path, "w") as file:
            file.write(text.replace(fault.old, fault.new))
    arguments = ["swift", "build", "-c", configuration, "--product", "bulkmigrate", "--package-path", copy]
    done = subprocess.run(arguments, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"account: the program with faults does not build\n{(done.stderr + done.stdout)[-3000:]}")
    shown = subprocess.run([*arguments, "--show-bin-path"], capture_output=True, text=True, check=True)
    return os.path.join(shown.stdout.strip(), "bulkmigrate")

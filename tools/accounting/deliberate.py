"""Deliberate faults in the program, each of which has to be found."""
import collections, concurrent.futures, os, shutil, subprocess, tempfile

import trial
from measuring import ROOT
from proving import Failure

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


ACCOUNT = "Sources/BulkPlan/Ledger/SourceAccount.swift"
LEDGER = "Sources/BulkPlan/Ledger/Ledger.swift"
MADE = "Sources/BulkPlan/Ledger/MadeLedger.swift"
FAULTS = [
    Fault("a column is left out of the account", ACCOUNT,
          "for column in table.columns where own.contains(column.name) && !isRead(column.name) {",
          "for column in table.columns where own.contains(column.name) && !isRead(column.name)\n"
          "        && !(isFaulty(1) && column.name.hasSuffix(\"5\")) {"),
    Fault("a link is counted twice", LEDGER,
          "var left = try item.links.lost(counter.counts)",
          "var left = try item.links.lost(counter.counts) * (isFaulty(2) ? 2 : 1)"),
    Fault("pairs are left out of the account", ACCOUNT,
          "guard let holders = links.holders else { return links }",
          "guard let holders = links.holders else { return isFaulty(3) ? nil : links }"),
    Fault("tables of an application that give way are not counted", LEDGER,
          "for table in work.unmanagedTables.tablesLeftBehind {",
          "for table in work.unmanagedTables.tablesLeftBehind where !isFaulty(4) {"),
    Fault("elements of composite attributes are left out of the account", ACCOUNT,
          "case .attribute(let key):\n",
          "case .attribute(let key):\n          if isFaulty(5), key.property.contains(\".\") { continue }\n"),
    Fault("derived values that no attribute continues are left out of the account", ACCOUNT,
          "let provenance = Provenance([part])\n    let known",
          "let isDerived = work.layout.schema.derivedAttributes.contains { $0.key.property == key.property }\n"
          "    let provenance = Provenance(isFaulty(6) && isDerived ? [] : [part])\n    let known"),
    Fault("changes of the history are not counted", LEDGER,
          "for table in work.layout.historyTables {",
          "for table in work.layout.historyTables where !isFaulty(7) || table.name != \"ACHANGE\" {"),
    Fault("one of several objects that a filter leaves out is not counted", LEDGER,
          "isCounted ? left.byAll :", "isCounted ? left.byAll - (isFaulty(8) ? 1 : 0) :"),
    Fault("links to objects that are not made are not counted by the run",
          MADE, "of: unmade - rejected, by: .target,", "of: isFaulty(9) ? 0 : unmade - rejected, by: .target,"),
    Fault("links to objects in quarantine are not counted",
          MADE, "of: rejected, by: .rejected,", "of: isFaulty(10) ? 0 : rejected, by: .rejected,"),
    Fault("rows of damaged pages are counted as one", "Sources/BulkStore/Reading/StoreSalvage.swift",
          "rows: rows,", "rows: isFaulty(11) ? 1 : rows,"),
    Fault("what may be lost is said to be lost", LEDGER,
          "isUpperBound: isUpperBound ?? !provenance.isExact,", "isUpperBound: (isUpperBound ?? !provenance.isExact) && !isFaulty(12),"),
    Fault("values that only another mapping reads are not counted", MADE,
          "values.losses($0)", "values.losses(isFaulty(13) ? $0.map { _ in 0 } : $0)"),
    Fault("objects that became one with another that is left out are not counted",
          "Sources/BulkExecute/Run/Run+Losses.swift",
          "guard let rejected else { return [] }", "guard let rejected, !isFaulty(14) else { return [] }"),
]


def prove(found, only, cases):
    """Builds the program with all faults, which wait for their number, and tries each."""
    program, numbers = built(), [only] if only else range(1, len(FAULTS) + 1)
    with (tempfile.TemporaryDirectory(prefix="account-faults-") as folder,
          concurrent.futures.ProcessPoolExecutor() as pool):
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
            found.add(1, [] if line else [f"MISSED: fault {number}"])
            print(f"{'found ' if line else 'MISSED'}  {number:2}  {FAULTS[number - 1].what}: "
                  f"{line or f'{cases} cases do not differ'}", flush=True)


def tried(arguments):
    case, program, folder, number = arguments
    done = trial.Trial(case, program, os.path.join(folder, str(number)), {SWITCH: str(number)}).run()
    shutil.rmtree(done.place)
    return [f"{kind}: {text}" for kind, text in done.differences]


def built():
    """The program with the faults, of a copy of the tree that stays for the next time."""
    copy = os.path.join(ROOT, ".build", "account-faults")
    names = ["Sources", "Tests", "Plans", "Package.swift"]
    for name in names[:-1]:
        shutil.rmtree(os.path.join(copy, name), ignore_errors=True)
    os.makedirs(copy, exist_ok=True)
    subprocess.run(["cp", "-Rp", *(os.path.join(ROOT, name) for name in names), copy], check=True)
    with open(os.path.join(copy, SWITCHES), "w") as file:
        file.write(SOURCE)
    for fault in FAULTS:
        path = os.path.join(copy, fault.file)
        with open(path) as file:
            text = file.read()
        if text.count(fault.old) != 1:
            raise Failure(f"{fault.file} has {text.count(fault.old)} places for the fault: {fault.what}")
        with open(path, "w") as file:
            imported = "" if "import BulkModel\n" in text else "internal import BulkModel\n"
            file.write(imported + text.replace(fault.old, fault.new))
    arguments = ["swift", "build", "--product", "bulkmigrate", "--package-path", copy]
    done = subprocess.run(arguments, capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"the program with faults does not build\n{(done.stderr + done.stdout)[-3000:]}")
    shown = subprocess.run([*arguments, "--show-bin-path"], capture_output=True, text=True, check=True)
    return os.path.join(shown.stdout.strip(), "bulkmigrate")

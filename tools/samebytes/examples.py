"""Cases of the worked examples under Plans and of the benchmarks, in small sizes."""
import json, os, shutil

import paired
from comparing import Case
from real import without_policies, write


def cases(root, rows):
    return worked(root, rows) + routes(root, rows) + splits(root, rows) + chains(root, rows)


def example(root, name, place, model, rows, options, mapping):
    """An example as it is and without its policies."""
    folder = os.path.join(root, "Plans", place)
    store = ["--model", os.path.join(folder, model), "--rows", rows, *options]

    def prepare(target, _):
        shutil.copytree(folder, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*-policies"))
        with open(os.path.join(folder, mapping)) as file:
            write(target, "free.json", without_policies(json.load(file)))
    return [Case(f"examples: {name}", ["--mapping", mapping], store=store, prepare=prepare),
            Case(f"examples: {name} without policies", ["--mapping", "free.json"], store=store, prepare=prepare)]


def worked(root, rows):
    notes, students, n = "UnCloudNotesDataModel.xcdatamodeld/UnCloudNotesDataModel", "LearnCoreData.xcdatamodeld/LearnCoreData", 10 * rows
    found = []
    for name, place, model, counts, mapping, *options in [
        ("U-2 notes become attachments", "uncloudnotes", notes + " v2.xcdatamodel", f"Note={n}", "v2-to-v3.json",
         "--nil", "Note.image=70%,Note.dateCreated=0", "--bytes", "Note.image=100-400"),
        ("U-3 image attachments, by a policy", "uncloudnotes", notes + " v3.xcdatamodel", f"Note={n // 2},Attachment={n // 2}",
         "v3-to-v4.json", "--bytes", "Attachment.image=100-400"),
        ("C-2 students and courses", "students", students + " 2.xcdatamodel", f"Student={n},Course=1000,Clazz=2000", "v2-to-v3.json",
         "--links", "Student.courses=3"),
        ("E-1 an attribute renamed", "examples/e1-amount", "Source.xcdatamodel", f"Order={n}", "all.json"),
        ("E-2 a calculation", "examples/e2-temperature", "Source.xcdatamodel", f"Reading={n}", "all.json"),
        ("E-3 transactions", "examples/e3-transactions", "Source.xcdatamodel", f"Account={n // 100},Trade={n}", "all.json"),
        ("E-4 shared addresses", "examples/e4-addresses", "Source.xcdatamodel", f"Person={n}", "all.json"),
        ("E-4 shared addresses, by a policy", "examples/e4-addresses", "Source.xcdatamodel", f"Person={n}", "policy.json"),
        ("tags become objects, each once", "examples/tags", "Source.xcdatamodel", f"Note={n}", "all.json"),
        ("E-6 one entity becomes two", "examples/e6-events", "Source.xcdatamodel", f"Event={n}", "all.json"),
        ("U-1 and the demo", "uncloudnotes", notes + ".xcdatamodel", f"Note={rows}", "all.json"),
        ("C-1", "students", students + ".xcdatamodel", f"StudentEntity={rows},CourseEntity=20,ClassEntity=30", "v1-to-v2.json"),
        ("E-5 texts become bytes", "examples/e5-binary", "Source.xcdatamodel", f"Document={rows}", "all.json"),
        ("E-6 dates", "examples/e6-events", "Source.xcdatamodel", f"Event={rows}", "dates.json"),
        ("E-6 times", "examples/e6-events", "Source.xcdatamodel", f"Event={rows}", "times.json"),
    ]:
        found += example(root, name, place, model, counts, options, mapping)
    return found


def routes(root, rows):
    """U-4: from every version of the notes to every later one."""
    folder = os.path.join(root, "Plans", "uncloudnotes")
    package = os.path.join(folder, "UnCloudNotesDataModel.xcdatamodeld", "UnCloudNotesDataModel")
    found = []
    for first, last, options in [
        (1, "", ["--rows", f"Note={rows}"]),
        (2, " v2", ["--rows", f"Note={rows}", "--bytes", "Note.image=10-90",
                   "--nil", "Note.image=70%,Note.dateCreated=0"]),
        (3, " v3", ["--rows", f"Note={rows},Attachment={rows}", "--bytes", "Attachment.image=10-90"]),
    ]:
        for version in range(first + 1, 5):
            for said, words in [("", []), (" with mappings", ["--mappings", folder])]:
                for form, more in [("", []), (", step by step", ["--no-fuse"])]:
                    found.append(Case(
                        f"examples: U-4 from {first} to {version}{said}{form}",
                        ["--models", folder, "--to", f"UnCloudNotesDataModel v{version}", *words, *more],
                        store=["--model", f"{package}{last}.xcdatamodel", *options]))
    return found


def splits(root, rows):
    """There is a folder for every forty notes."""
    return [Case(f"examples: bench/run splits, {line.name}", [*line.job.planning],
                 store=["--model", line.store.model, "--rows", line.store.rows, *line.store.words])
            for line in paired.splits(40 * rows, None)]


def chains(root, rows):
    """Twelve steps, inferred and with two by mappings."""
    def prepare(place, _):
        paths = paired.versions(place)
        for name, steps in (("twelve", {}), ("mapped", paired.MAPPED)):
            paired.chain(place, name, paths, steps)
        paired.chain(place, "single", paths[:2], paired.SINGLE)
    store = ["--model", "App.xcdatamodeld/v01.xcdatamodel", "--rows", f"Note={10 * rows}"]
    return [Case(f"examples: bench/run chains, {name} {' '.join(words)}", ["--mapping", f"{name}.json", *words],
                 store=store, prepare=prepare)
            for name in ("twelve", "mapped", "single") for words in ([], ["--no-fuse"])]

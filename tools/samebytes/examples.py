"""Cases of the worked examples under Plans and of the benchmarks, in small sizes."""
import importlib.machinery, importlib.util, json, os, shutil

from comparing import Case
from real import without_policies, write


def cases(root, rows):
    return worked(root, rows) + further(root, rows) + routes(root, rows) + splits(root, rows) + chains(root, rows)


def bench(root, name):
    """A benchmark as a module."""
    loader = importlib.machinery.SourceFileLoader(f"bench_{name}", os.path.join(root, "bench", name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


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
    found = []
    for name, _, *described, _, _ in bench(root, "examples").examples(10 * rows, None, None):
        found += example(root, name, *described)
    return found


def further(root, rows):
    """The examples that are too quick for a benchmark."""
    notes, students = "UnCloudNotesDataModel.xcdatamodeld/", "LearnCoreData.xcdatamodeld/"
    found = []
    for name, place, model, counts, mapping in [
        ("U-1 and the demo", "uncloudnotes", notes + "UnCloudNotesDataModel.xcdatamodel", f"Note={rows}", "all.json"),
        ("C-1", "students", students + "LearnCoreData.xcdatamodel",
         f"StudentEntity={rows},CourseEntity=20,ClassEntity=30", "v1-to-v2.json"),
        ("E-5 texts become bytes", "examples/e5-binary", "Source.xcdatamodel", f"Document={rows}", "all.json"),
        ("E-6 dates", "examples/e6-events", "Source.xcdatamodel", f"Event={rows}", "dates.json"),
        ("E-6 times", "examples/e6-events", "Source.xcdatamodel", f"Event={rows}", "times.json"),
    ]:
        found += example(root, name, place, model, counts, [], mapping)
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
    return [Case(f"examples: bench/splits, {name}", mapping, store=store)
            for name, (store, mapping, _, _) in bench(root, "splits").workloads(40 * rows).items()]


def chains(root, rows):
    """Twelve steps, inferred and with two by mappings."""
    module = bench(root, "chains")
    versions = module.versions()

    def prepare(place, _):
        paths = [module.write(place, number, attributes) for number, attributes in enumerate(versions, 1)]
        for name, steps in (("twelve", {}), ("mapped", module.MAPPED)):
            module.chain(place, name, paths, steps)
        module.chain(place, "single", paths[:2], module.SINGLE)
    store = ["--model", "App.xcdatamodeld/v01.xcdatamodel", "--rows", f"Note={10 * rows}"]
    return [Case(f"examples: bench/chains, {name} {' '.join(words)}", ["--mapping", f"{name}.json", *words],
                 store=store, prepare=prepare)
            for name in ("twelve", "mapped", "single") for words in ([], ["--no-fuse"])]

"""Cases of the real stores, models and mapping models in BULKMIGRATE_CORPUS or ../shared/data."""
import csv, glob, json, os, re, sys, xml.etree.ElementTree as XML

from comparing import Case, command


def folder(root):
    """The folder with real stores; none, with a word about it, where it is not there."""
    data = os.path.realpath(os.environ.get("BULKMIGRATE_CORPUS") or os.path.join(root, "..", "shared", "data"))
    if os.path.isdir(data):
        return data
    print(f"real stores are skipped, because {data} is not there", file=sys.stderr)


def cases(root, rows):
    data = folder(root)
    return [] if not data else pairs(data) + stores(data) + synthetic(data, rows) + beside(data)


def table(path):
    with open(path) as file:
        return list(csv.DictReader(file, delimiter="\t"))


def brief(path):
    return os.path.splitext(os.path.basename(path))[0]


def pairs(data):
    """Stores of one application and the versions that followed theirs."""
    found = []
    rows = table(os.path.join(data, "oracle-pairs.tsv"))
    for place, row in enumerate(rows):
        store, first = os.path.join(data, row["source_store"]), row["source_model"]
        first = None if first == "-" else os.path.join(data, first)
        following = [os.path.join(data, other["destination_model"]) for other in rows[place:]
                     if other["chain"] == row["chain"]]
        for model in following:
            found.append(Case(f"pairs: {brief(store)} to {brief(model)}",
                              ["--destination-model", model], store=store))
        if first is None:
            continue
        found.append(Case(f"pairs: {brief(store)} to {brief(following[0])} with its models named",
                          ["--source-model", first, "--destination-model", following[0]], store=store))
        found.append(Case(f"pairs: {brief(store)} to {brief(following[0])} by a starter",
                          ["--mapping", "starter.json"], store=store, prepare=starter(first, following[0])))
        found.append(Case(f"pairs: {brief(store)} rebuilt", ["--strategy", "rebuild", "--destination-model", first],
                          store=store))
        if len(following) > 1:
            for words in ([], ["--no-fuse"]):
                found.append(Case(f"pairs: {brief(store)} by a chain to {brief(following[-1])} {' '.join(words)}",
                                  ["--mapping", "chain.json", *words], store=store,
                                  prepare=chain([first, *following])))
    return found


def starter(source, destination):
    """Writes the starter of a mapping, in which nothing is left to be inferred."""
    def prepare(place, program):
        command([program, "mapping", "init", "-q", "--source-model", source, "--destination-model", destination,
                 "--output", "starter.json"], place)
        with open(os.path.join(place, "starter.json")) as file:
            mapping = json.load(file)
        for entity in mapping["entityMappings"]:
            for kind in ("attributes", "relationships"):
                for name, value in entity.get(kind, {}).items():
                    entity[kind][name] = None if value == "?" else value
        write(place, "starter.json", {**mapping, "infer": "none"})
    return prepare


def chain(steps):
    return lambda place, _: write(place, "chain.json", {"bulkmigrate": "mapping/1", "chain": steps})


def write(place, name, value):
    with open(os.path.join(place, name), "w") as file:
        json.dump(value, file, indent=1)


def stores(data):
    """Every store outside the pairs, rebuilt and to every version in its folder."""
    found = []
    for store in sorted(glob.glob(os.path.join(data, "*", "*.sqlite")) + glob.glob(os.path.join(data, "*", "*.moody"))):
        folder = os.path.dirname(store)
        name = f"stores: {os.path.basename(folder)}/{brief(store)}"
        models = sorted(glob.glob(os.path.join(folder, "*.xcdatamodeld", "*.xcdatamodel"))
                        + glob.glob(os.path.join(folder, "*.mom")) + glob.glob(os.path.join(folder, "*.momd", "*.mom")))
        if "apptentive" in folder:
            models = sorted(glob.glob(os.path.join(data, "mappings", "01[678]", "*.xcdatamodeld", "*.xcdatamodel")))
        found.append(Case(f"{name} rebuilt", ["--strategy", "rebuild", "--destination-model", store], store=store))
        for model in models:
            version = os.path.relpath(model, data)
            found.append(Case(f"{name} to {version}",
                              [*sources(models), "--destination-model", model], store=store))
            found.append(Case(f"{name} by routes to {version}",
                              [*sources(models), "--to", brief(model)], store=store))
            found.append(Case(f"{name} by routes to {version} step by step",
                              [*sources(models), "--mappings", folder, "--to", brief(model), "--no-fuse"],
                              store=store))
    return found


def sources(models):
    """The options that name the folders in which models lie."""
    folders = sorted({os.path.dirname(model) for model in models})
    return [argument for folder in folders for argument in ("--models", folder)]


class Mapping:
    """A mapping model of Xcode and the versions that it leads between."""

    def __init__(self, data, path):
        self.path, self.name = path, os.path.relpath(path, data)
        with open(os.path.join(path, "xcmapping.xml"), encoding="utf-8") as file:
            text = file.read()
            # A search for the name itself would try every start within long values.
            named = [found.group() + ".xcdatamodel" for match in re.finditer(r"\.xcdatamodel(?=[<\"])", text)
                     if (found := re.search(r"[^<>/\"]+$", text[max(0, match.start() - 300):match.start()]))]
        self.versions = named[-2:]
        folder = os.path.dirname(path)
        if os.path.basename(os.path.dirname(folder)) == "mappings":
            index = {row["folder"]: row for row in table(os.path.join(data, "mappings", "INDEX.tsv"))}
            row = index[os.path.basename(folder)]
            self.versions = [row["source_model"], row["destination_model"]]
        # Mapping models of one application share the versions that lie beside one of them.
        number = re.search(r"mappings/(\d+)/", path)
        places = [folder] + ([os.path.join(data, "mappings", f"{int(number[1]) - step:03}") for step in (1, 2, 3)]
                             if number else [])
        self.source, self.destination = (
            next((found for place in places
                  for found in glob.glob(os.path.join(place, "*", glob.escape(version)))), None)
            for version in self.versions)


def mappings(data):
    paths = glob.glob(os.path.join(data, "*", "*.xcmappingmodel")) + glob.glob(
        os.path.join(data, "mappings", "*", "*.xcmappingmodel"))
    return [Mapping(data, path) for path in sorted(paths)]


def synthetic(data, rows):
    """Every mapping model on a synthetic store, and to a destination whose rules that store keeps."""
    found = []
    for mapping in mappings(data):
        if not mapping.source or not mapping.destination:
            continue
        names = [entity.get("name") for entity in XML.parse(os.path.join(mapping.source, "contents")).getroot()
                 .iter("entity") if entity.get("isAbstract") != "YES"]
        store = ["--model", mapping.source, "--rows", ",".join(f"{name}={rows}" for name in names)]
        models = ["--source-model", mapping.source, "--destination-model", "Lenient.xcdatamodel"]
        for form, file in (("", mapping.path), (" as JSON", "mapping.json"), (" without policies", "free.json")):
            found.append(Case(f"mappings: {mapping.name}{form}", ["--mapping", file, *models], store=store,
                              prepare=prepared(mapping)))
        found.append(Case(f"mappings: {mapping.name} to the model as it is",
                          ["--mapping", mapping.path, "--source-model", mapping.source, "--destination-model",
                           mapping.destination], store=store))
    return found


def prepared(mapping):
    """Writes the mapping as JSON with its policies and without, and the destination without its rules."""
    def prepare(place, program):
        command([program, "mapping", "convert", "-q", mapping.path, "--source-model", mapping.source,
                 "--destination-model", mapping.destination, "--output", "mapping.json"], place)
        path = os.path.join(place, "mapping.json")
        if os.path.exists(path):
            with open(path) as file:
                converted = json.load(file)
            write(place, "free.json", without_policies(converted))
        os.makedirs(os.path.join(place, "Lenient.xcdatamodel"))
        model = XML.parse(os.path.join(mapping.destination, "contents"))
        for property in [*model.getroot().iter("attribute"), *model.getroot().iter("relationship")]:
            property.set("optional", "YES")
            for rule in ("minValueString", "maxValueString", "minDateTimeInterval", "maxDateTimeInterval",
                         "regularExpressionString", "minCount"):
                property.attrib.pop(rule, None)
        model.write(os.path.join(place, "Lenient.xcdatamodel", "contents"), encoding="utf-8", xml_declaration=True)
    return prepare


def without_policies(mapping):
    for entity in mapping.get("entityMappings", []):
        entity.pop("policy", None)
        if entity.get("type") == "custom":
            entity["type"] = "transform"
        for kind in ("attributes", "relationships"):
            values = entity.get(kind, {})
            for name, value in list(values.items()):
                if isinstance(value, str) and "$entityPolicy" in value:
                    values[name] = None
    return mapping


# Mapping models and the stores that lie beside them.
BESIDE = [
    ("moody/Moody 2-Moody 3.xcmappingmodel", "moody/Moody 2.moody"),
    ("wibosco/Migration1to2.xcmappingmodel", "wibosco/CoreDataMigration_Example_1.sqlite"),
    ("wibosco/Migration1to2.xcmappingmodel", "wibosco/CoreDataMigration_Example_WAL.sqlite"),
    ("book-migration/Model1_to_Model2.xcmappingmodel", "book-migration/Model1.sqlite"),
    ("core-data-plus/V2toV3.xcmappingmodel", "core-data-plus/SampleModel_V2.sqlite"),
    ("mappings/017/ATDataModel v4 to v5.xcmappingmodel", "apptentive/ATDataModelv4.sqlite"),
    ("mappings/018/ATDataModel v5 to v6.xcmappingmodel", "apptentive/ATDataModelv5.sqlite"),
    ("mappings/019/ATDataModel v5 to v6.xcmappingmodel", "apptentive/ATDataModelv5.sqlite"),
]


def beside(data):
    found = []
    for path, store in BESIDE:
        mapping = Mapping(data, os.path.join(data, path))
        models = ["--source-model", mapping.source, "--destination-model", mapping.destination]
        files = [("", mapping.path), (" as JSON", "mapping.json"), (" without policies", "free.json")]
        if "V2toV3" in path:
            files.append((" compiled", os.path.join(data, "core-data-plus", "V2toV3.cdm")))
        for form, file in files:
            found.append(Case(f"mappings: {store} by {path}{form}", ["--mapping", file, *models],
                              store=os.path.join(data, store), prepare=prepared(mapping)))
    return found

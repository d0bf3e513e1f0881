"""Random cases: models, changes of models and mapping models, drawn from a seed."""
import copy, os, random, re
from xml.sax.saxutils import quoteattr

from comparing import Case
from real import write

TYPES = ["Integer 16", "Integer 32", "Integer 64", "Double", "Float", "Decimal", "String", "Boolean", "Date", "Binary",
         "UUID"]
NUMBERS = {"Integer 16", "Integer 32", "Integer 64", "Double", "Float"}


def cases(seeds, rows):
    found = []
    for seed in seeds:
        drawn = Scenario(seed)
        store = ["--model", "1.xcdatamodel", "--seed", str(seed), "--rows",
                 ",".join(f"{entity['name']}={rows}" for entity in drawn.versions[0] if not entity["abstract"])]
        for name, options in [
            ("inferred", ["--source-model", "1.xcdatamodel", "--destination-model", "2.xcdatamodel"]),
            ("by a mapping model", ["--mapping", "mapping-1.json", "--source-model", "1.xcdatamodel",
                                    "--destination-model", "2.xcdatamodel"]),
            ("by a chain", ["--mapping", "chain.json"]),
            ("by a chain, step by step", ["--mapping", "chain.json", "--no-fuse"]),
            ("by a mixed chain", ["--mapping", "mixed.json"]),
            ("by a mixed chain, step by step", ["--mapping", "mixed.json", "--no-fuse"]),
        ]:
            found.append(Case(f"random: seed {seed} {name}", options, store=store, prepare=drawn.write))
    return found


class Scenario:
    """Four versions of a model and a mapping model between each two."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0
        self.versions = [self.model()]
        for _ in range(3):
            self.versions.append(self.changed(self.versions[-1]))
        self.mappings = [self.mapping(old, new) for old, new in zip(self.versions, self.versions[1:])]

    def write(self, place, _):
        paths = [f"{number}.xcdatamodel" for number in range(1, 5)]
        for path, entities in zip(paths, self.versions):
            write_model(place, path, entities)
        for number, mapping in enumerate(self.mappings, 1):
            write(place, f"mapping-{number}.json", mapping)
        write(place, "chain.json", {"bulkmigrate": "mapping/1", "chain": paths})
        mixed = [paths[0], "mapping-1.json", paths[1], paths[2], "mapping-3.json", paths[3]]
        write(place, "mixed.json", {"bulkmigrate": "mapping/1", "chain": mixed})

    def new_name(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def model(self):
        entities = []
        for _ in range(self.random.randint(3, 5)):
            parent = self.random.choice(entities)["name"] if entities and self.random.random() < 0.3 else None
            entities.append(self.entity(parent))
        for _ in range(self.random.randint(2, 5)):
            self.add_relationship(entities)
        return entities

    def entity(self, parent=None):
        return {"name": self.new_name("Entity"), "parent": parent, "abstract": False, "id": None,
                "attributes": [self.attribute() for _ in range(self.random.randint(1, 4))], "relationships": []}

    def attribute(self):
        return attribute_of(self.new_name("a"), self.random.choice(TYPES))

    def add_relationship(self, entities):
        near, far = self.random.choice(entities), self.random.choice(entities)
        names = self.new_name("r"), self.new_name("s")
        to_many = self.random.random() < 0.4, self.random.random() < 0.6
        ordered = [many and self.random.random() < 0.25 for many in to_many]
        connect(near, far, names, to_many, ordered)

    def changed(self, before):
        """The next version: one to four changes, most of which can be inferred."""
        entities = copy_of(before)
        for _ in range(self.random.randint(1, 4)):
            entity = self.random.choice(entities)
            change = self.random.choice(["attribute", "attribute", "rename", "remove", "entity", "rename entity",
                                         "relationship", "remove relationship", "many", "default"])
            if change == "attribute":
                entity["attributes"].append(self.attribute())
            elif change == "rename" and entity["attributes"]:
                self.rename(self.random.choice(entity["attributes"]), "a")
            elif change == "remove" and len(entity["attributes"]) > 1:
                entity["attributes"].remove(self.random.choice(entity["attributes"]))
            elif change == "entity":
                entities.append(self.entity())
            elif change == "rename entity":
                old = entity["name"]
                self.rename(entity, "Entity")
                follow_name(entities, old, entity["name"])
            elif change == "relationship":
                self.add_relationship(entities)
            elif change == "remove relationship" and entity["relationships"]:
                remove_link(entities, self.random.choice(entity["relationships"]))
            elif change == "many" and entity["relationships"]:
                self.random.choice(entity["relationships"])["many"] = True
            elif change == "default":
                entity["attributes"].append(dict(self.attribute(), type="Integer 32", default=str(self.random.randint(1, 9))))
        return entities

    def rename(self, item, prefix):
        item["id"] = item["id"] or item["name"]
        item["name"] = self.new_name(prefix)

    def mapping(self, before, after):
        """Entity mappings for some entities; the rest is inferred."""
        found = []
        for entity in after:
            source = next((old for old in before if old["name"] == identity(entity)), None)
            if source is None and self.random.random() < 0.7:
                source = self.random.choice(before)
            elif source is None or self.random.random() < 0.4:
                continue
            found.append(self.entity_mapping(source, entity, before, after))
            if self.random.random() < 0.2:
                found.append(dict(self.entity_mapping(source, entity, before, after), name=self.new_name("Again")))
        return {"bulkmigrate": "mapping/1", "entityMappings": found}

    def entity_mapping(self, source, entity, before, after):
        mapping = {"name": f"{source['name']}To{entity['name']}", "source": source["name"],
                   "destination": entity["name"], "attributes": {}, "relationships": {}}
        sources = properties(source, before, "attributes")
        for attribute in properties(entity, after, "attributes"):
            value = self.value(attribute, sources)
            if value is not None:
                mapping["attributes"][attribute["name"]] = value
        links = properties(source, before, "relationships")
        for link in properties(entity, after, "relationships"):
            old = next((old for old in links if old["name"] in (link["name"], link["id"])), None)
            if old is None and links and self.random.random() < 0.3:
                old = self.random.choice(links)
            if old is None:
                continue
            path = f"$source.{old['name']}"
            if self.random.random() < 0.15:
                path = "$source"
            elif self.random.random() < 0.15:
                further = properties(named(before, old["target"]), before, "relationships")
                path += f".{self.random.choice(further)['name']}" if further else ""
            target = named(after, link["target"])
            first = old["target"] if path.count(".") < 2 else identity(target)
            by_name = self.random.random() < 0.5
            selector, name = (("destinationInstancesForEntityMappingNamed", f"{first}To{target['name']}") if by_name
                              else ("destinationInstancesForSourceRelationshipNamed", old["name"]))
            mapping["relationships"][link["name"]] = (
                f'FUNCTION($manager, "{selector}:sourceInstances:", "{name}", {path})')
        numbers = [each for each in sources if each["type"] in NUMBERS]
        if numbers and self.random.random() < 0.3:
            mapping["filter"] = f"{self.random.choice(numbers)['name']} {self.random.choice(['!=', '>', '<'])} 0"
        return mapping

    def value(self, attribute, sources):
        """An expression, or none to leave the attribute to inference."""
        same = [each for each in sources if each["name"] in (attribute["name"], attribute["id"])]
        alike = same or [each for each in sources if each["type"] == attribute["type"]]
        if not alike:
            return "NIL" if self.random.random() < 0.3 else None
        from_ = f"$source.{self.random.choice(alike)['name']}"
        forms = [None, from_, from_, f"TERNARY({from_} == nil, NIL, {from_})"]
        if attribute["type"] in NUMBERS:
            forms += [f"{from_} + 1", f"{from_} * 2 - 3", f"TERNARY({from_} > 10, 10, {from_})"]
        if attribute["type"] == "String":
            forms += [f"uppercase:({from_})", f'TERNARY({from_} BEGINSWITH "a", "a", {from_})']
        return self.random.choice(forms)


def properties(entity, entities, kind):
    """Those of an entity and of the entities above it."""
    return [each for above in lineage(entity, entities) for each in above[kind]]


def lineage(entity, entities):
    """An entity and those above it."""
    found = [entity]
    while found[-1]["parent"]:
        found.append(named(entities, found[-1]["parent"]))
    return found


def named(items, name):
    return next(each for each in items if each["name"] == name)


def identity(item):
    """The name by which the version before knows an item."""
    return item["id"] or item["name"]


def items(entities):
    return [item for entity in entities for item in (entity, *entity["attributes"], *entity["relationships"])]


def attribute_of(name, kind, **more):
    return {"name": name, "type": kind, "id": None, "default": None, **more}


def connect(near, far, names, many, ordered):
    """Gives two entities a relationship and its inverse; returns both."""
    links = [{"name": names[side], "target": (far, near)[side]["name"], "inverse": names[1 - side], "many": many[side],
              "ordered": ordered[side], "id": None} for side in (0, 1)]
    near["relationships"].append(links[0])
    far["relationships"].append(links[1])
    return links


def copy_of(version):
    """A version that is as the one before, which knows all by their names."""
    entities = copy.deepcopy(version)
    for item in items(entities):
        item["id"] = None
    return entities


def follow_name(entities, old, new):
    """Lets what names an entity use its new name."""
    for other in entities:
        other["parent"] = new if other["parent"] == old else other["parent"]
        for link in other["relationships"]:
            link["target"] = new if link["target"] == old else link["target"]


def remove_link(entities, link):
    """Removes a relationship and its inverse."""
    for other in entities:
        other["relationships"] = [each for each in other["relationships"] if each["name"] not in (link["name"], link["inverse"])]


def is_preserved(attribute):
    """Whether the history keeps the value of a deleted object: for every third name."""
    number = re.search(r"\d+$", attribute["name"])
    return "elements" not in attribute and "derived" not in attribute and bool(number) and int(number[0]) % 3 == 0


def document(entities, limits=()):
    """A model as Xcode writes it; limits are greatest values by the names of attributes."""
    lines, types = [], {}
    for entity in entities:
        lines.append(element("entity", name=entity["name"], parentEntity=entity["parent"],
                             isAbstract="YES" if entity["abstract"] else None, elementID=entity["id"]))
        for attribute in entity["attributes"]:
            composite = attribute.get("composite", f"Type{attribute['name']}") if "elements" in attribute else None
            lines.append(element(
                "attribute", name=attribute["name"], optional=None if attribute.get("required") else "YES",
                attributeType=attribute["type"], elementID=attribute["id"], composite=composite,
                defaultValueString=attribute["default"],
                preserveAfterDeletion="YES" if is_preserved(attribute) else None,
                allowsExternalBinaryDataStorage="YES" if attribute.get("external") else None,
                derived="YES" if "derived" in attribute else None, derivationExpression=attribute.get("derived"),
                maxValueString=dict(limits).get(attribute["name"])) + "</attribute>")
            if composite:
                types[composite] = element("composite", name=composite) + "".join(
                    element("attribute", name=each["name"], optional="YES", attributeType=each["type"],
                            elementID=each["id"]) + "</attribute>"
                    for each in attribute["elements"]) + "</composite>"
        for link in entity["relationships"]:
            lines.append(element(
                "relationship", name=link["name"], optional="YES", toMany="YES" if link["many"] else None,
                maxCount=None if link["many"] else "1", ordered="YES" if link["ordered"] and link["many"] else None,
                deletionRule="Nullify", destinationEntity=link["target"], inverseName=link["inverse"],
                inverseEntity=link["target"] if link["inverse"] else None, elementID=link["id"]) + "</relationship>")
        for name, kind, properties in entity.get("indexes", ()):
            lines.append(element("fetchIndex", name=name) + "".join(
                element("fetchIndexElement", property=each, type=kind, order="ascending") + "</fetchIndexElement>"
                for each in properties) + "</fetchIndex>")
        if "unique" in entity:
            lines.append(f'<uniquenessConstraints><uniquenessConstraint><constraint value="{entity["unique"]}"/>'
                         '</uniquenessConstraint></uniquenessConstraints>')
        lines.append("</entity>")
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<model type="com.apple.IDECoreDataModeler.DataModel">'
            + "\n".join([*lines, *types.values()]) + "</model>")


def write_model(place, name, entities, limits=()):
    os.makedirs(os.path.join(place, name), exist_ok=True)
    with open(os.path.join(place, name, "contents"), "w") as file:
        file.write(document(entities, limits))


def element(tag, **attributes):
    return f"<{tag} " + " ".join(f"{key}={quoteattr(value)}" for key, value in attributes.items() if value) + ">"

"""Draws models, their changes and mapping models: those of tools/samebytes with composite and derived attributes,
relationships without an inverse, abstract entities and entities that move, each object marked."""
import copy, random, re

import chance
from chance import attribute_of, connect, identity, items, lineage, named, remove_link

ELEMENT_TYPES = ["Integer 32", "Double", "String", "Date", "Boolean"]
CONSTANTS = {"Integer 32": "7", "Double": "1.5", "String": "'constant'"}
# The attribute that every object has, by which the tool knows it again. No drawn change touches it.
MARK = "mark"


class Draft(chance.Scenario):
    """Two versions of a model and, for a half of the seeds, a mapping model between them."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0
        self.seed = seed
        self.before = self.model()
        self.after = self.version(self.before)
        # The version between the two, by its names and ids; the last one then has ids of the first.
        self.between, self.last = None, self.after
        draw = self.random.random()
        self.mapping_file = None if draw < 0.45 else self.mapping(self.before, self.after)
        self.strategy = "copy" if draw < 0.1 else None
        if 0.1 < draw < 0.17:
            self.between, self.last = self.after, self.version(self.after)
            self.after = continued(self.last, self.between)
        if draw > 0.9:
            self.divide()
        self.policy = self.mapping_file and "entityMappings" in self.mapping_file and self.draw_policy()

    # Models

    def model(self):
        entities = super().model()
        for _ in range(self.random.choice([0, 1, 1])):
            self.add_one_sided(entities)
        if self.random.random() < 0.6:
            self.add_pairs(entities)
        for _ in range(self.random.choice([0, 0, 1, 1])):
            self.random.choice(entities)["attributes"].append(self.composite())
        if self.random.random() < 0.35:
            self.add_derived(entities)
        for entity in entities:
            for attribute in entity["attributes"]:
                attribute["external"] = attribute["type"] == "Binary" and self.random.random() < 0.6
            if entity["parent"] is None:
                entity["attributes"].append(dict(self.attribute(), name=MARK, type="Integer 64"))
            if any(other["parent"] == entity["name"] for other in entities) and self.random.random() < 0.2:
                entity["abstract"] = True
        return entities

    def add_pairs(self, entities):
        near, far = self.random.choice(entities), self.random.choice(entities)
        names = self.new_name("r"), self.new_name("s")
        connect(near, far, names, (True, True), [self.random.random() < 0.25 for _ in names])

    def add_one_sided(self, entities):
        near, far = self.random.choice(entities), self.random.choice(entities)
        near["relationships"].append({"name": self.new_name("o"), "target": far["name"], "inverse": None, "id": None,
                                      "many": self.random.random() < 0.6, "ordered": self.random.random() < 0.3})

    def composite(self):
        elements = [attribute_of(self.new_name("e"), self.random.choice(ELEMENT_TYPES)) for _ in range(self.random.randint(1, 3))]
        return attribute_of(self.new_name("c"), "Composite", elements=elements)

    def add_derived(self, entities):
        """A count of members, or a value through a relationship to one."""
        choices = []
        for entity in entities:
            for link in entity["relationships"]:
                target = named(entities, link["target"])
                if link["many"] and link["inverse"] and not named(target["relationships"], link["inverse"])["many"]:
                    choices.append((entity, f"{link['name']}.@count", "Integer 64"))
                elif not link["many"] and link["inverse"]:
                    choices += [(entity, f"{link['name']}.{other['name']}", other["type"])
                                for other in target["attributes"] if other["type"] in ("String", "Integer 64")
                                and "derived" not in other]
            choices += [(entity, f"uppercase:({other['name']})", "String") for other in entity["attributes"]
                        if other["type"] == "String" and "derived" not in other]
        if choices:
            entity, expression, kind = self.random.choice(choices)
            entity["attributes"].append(attribute_of(self.new_name("d"), kind, derived=expression))

    # Changes

    def version(self, before):
        found = self.changed(before)
        for _ in range(self.random.randint(1, 3)):
            self.change_further(found)
        self.clean(found)
        return found

    def change_further(self, entities):
        """One change of those that tools/samebytes does not draw."""
        change = self.random.choice(["leave", "leave", "remove entity", "element", "element", "element", "composite",
                                     "composite", "derived", "derived", "to one", "to one", "subentity", "subentity",
                                     "one-sided", "remove pair", "remove pair", "retarget"])
        entity = self.random.choice(entities)
        composites, derived = ([(owner, each) for owner in entities for each in owner["attributes"] if key in each]
                               for key in ("elements", "derived"))
        links = [(owner, each) for owner in entities for each in owner["relationships"]]
        if change == "leave":
            if child := self.any_of([each for each in entities if each["parent"]]):
                parent = named(entities, child["parent"])
                child["parent"] = parent["parent"] if self.random.random() < 0.3 else None
        elif change == "remove entity" and len(entities) > 2:
            self.remove_entity(entities, entity)
        elif change == "element" and composites:
            owner, composite = self.random.choice(composites)
            element = self.random.choice(composite["elements"])
            if self.random.random() < 0.5 and len(composite["elements"]) > 1:
                composite["elements"].remove(element)
            else:
                self.rename(element, "e")
        elif change == "composite" and composites:
            owner, composite = self.random.choice(composites)
            if self.random.random() < 0.5:
                owner["attributes"].remove(composite)
            else:
                self.rename(composite, "c")
        elif change == "derived" and derived:
            owner, each = self.random.choice(derived)
            owner["attributes"].remove(each)
        elif change in ("to one", "one-sided"):
            if link := self.any_of([each for _, each in links if each["many"] and (change == "to one" or not each["inverse"])]):
                link["many"] = False
        elif change == "subentity":
            if moved := self.any_of([(owner, each, child) for owner, each in links for child in entities
                                     if child["parent"] == owner["name"]]):
                owner, link, child = moved
                owner["relationships"].remove(link)
                child["relationships"].append(link)
                for each in items(entities):
                    if "target" in each and each["name"] == link["inverse"]:
                        each["target"] = child["name"]
        elif change == "remove pair":
            if link := self.any_of([each for _, each in links if each["many"] and each["inverse"]
                                    and any(other["name"] == each["inverse"] and other["many"] for _, other in links)]):
                remove_link(entities, link)
        elif change == "retarget":
            free = [(each, entity) for _, each in links if not each["inverse"] for entity in entities]
            is_far = self.random.random() < 0.4
            if found := self.any_of([(link, entity) for link, entity in free if (
                    entity["name"] != link["target"] if is_far else entity["parent"] == link["target"])]):
                link, entity = found
                link["target"] = entity["name"]

    def any_of(self, several):
        return self.random.choice(several) if several else None

    def remove_entity(self, entities, entity):
        gone = entity["name"]
        entities.remove(entity)
        for other in entities:
            if other["parent"] == gone:
                other["parent"] = entity["parent"]
            other["relationships"] = [each for each in other["relationships"] if each["target"] != gone]

    def clean(self, entities):
        """Marks every root, and drops what changes left behind: lone inverses and derivations of what is gone."""
        for entity in entities:
            entity["attributes"] = [each for each in entity["attributes"] if MARK not in (each["name"], each["id"])]
            if entity["parent"] is None:
                entity["attributes"].append(attribute_of(MARK, "Integer 64"))
            if not any(other["parent"] == entity["name"] for other in entities):
                entity["abstract"] = False
        known = {each["name"]: entity for entity in entities for each in entity["relationships"]}
        lone = {each["name"] for entity in entities for each in entity["relationships"] if each["inverse"]
                and (each["inverse"] not in known or known[each["inverse"]]["name"] != each["target"])}
        for entity in entities:
            for each in entity["relationships"]:
                if lone & {each["name"], each["inverse"]}:
                    each["inverse"] = None
                each["ordered"] = each["ordered"] and each["many"]
        for entity in entities:
            entity["attributes"] = [each for each in entity["attributes"]
                                    if "derived" not in each or self.is_derivable(entity, each, entities)]

    @staticmethod
    def is_derivable(entity, attribute, entities):
        words = attribute["derived"].removeprefix("uppercase:(").rstrip(")").split(".")
        owner, kind = entity, "String"
        if len(words) > 1:
            link = next((each for each in chance.properties(entity, entities, "relationships") if each["name"] == words[0]), None)
            if not link or not link["inverse"] or link["many"] != (words[1] == "@count"):
                return False
            owner, kind = named(entities, link["target"]), attribute["type"]
            if link["many"]:
                return not named(owner["relationships"], link["inverse"])["many"]
        return any(each["name"] == words[-1] and each["type"] == kind and "derived" not in each
                   for each in chance.properties(owner, entities, "attributes"))

    # Mapping models

    def entity_mapping(self, source, entity, before, after):
        found = super().entity_mapping(source, entity, before, after)
        found["attributes"][MARK] = f"$source.{MARK}"
        self.straighten(found, source, entity, before, after)
        numbers = [each for each in chance.properties(source, before, "attributes") if each["type"] == "Integer 32"
                   or each["type"] == "Integer 64" and each["name"] != MARK and "derived" not in each]
        if numbers and self.random.random() < 0.25:
            found["filter"] = f"modulus:by:({self.random.choice(numbers)['name']}, 3) == 1"
        elif found.get("filter", "").startswith(MARK):
            del found["filter"]
        if self.random.random() < 0.15:
            found["filter"] = f"modulus:by:({MARK}, {self.random.choice([2, 3, 4])}) != 1"
        return found

    def straighten(self, mapping, source, entity, before, after):
        """Lets most relationships continue the one of their name, by all mappings of its objects or by one of them."""
        olds = {each["name"]: each for each in chance.properties(source, before, "relationships")}
        for link in chance.properties(entity, after, "relationships"):
            old = olds.get(identity(link))
            if link["name"] not in mapping["relationships"] or self.random.random() < 0.04:
                continue
            del mapping["relationships"][link["name"]]
            target = named(before, old["target"]) if old else None
            form = self.random.random()
            if not old or form < 0.4:
                continue
            call = "destinationInstancesForSourceRelationshipNamed", old["name"]
            if form < 0.6 and not target["abstract"]:
                call = "destinationInstancesForEntityMappingNamed", f"{old['target']}To{link['target']}"
            mapping["relationships"][link["name"]] = (
                f'FUNCTION($manager, "{call[0]}:sourceInstances:", "{call[1]}", $source.{old["name"]})')

    def mapping(self, before, after):
        found = super().mapping(before, after)
        usable = {each["name"] for each in before + after if not each["abstract"]}
        hidden = {each["name"] for each in before + after if each["abstract"]}
        found["entityMappings"] = [each for each in found["entityMappings"]
                                   if {each["source"], each["destination"]} <= usable - hidden]
        names = {each["name"] for each in found["entityMappings"]}
        # A name that stands for a mapping that was not drawn is that of an inferred one, which may not exist.
        made = {f"{identity(old)}To{each['name']}" for each in after for old in before
                if identity(each) == old["name"] and not each["abstract"] and not old["abstract"]}
        for each in found["entityMappings"]:
            for link, text in list(each["relationships"].items()):
                called = re.search(r'EntityMappingNamed:sourceInstances:", "(\w+)"', text)
                if called and called[1] not in names | made:
                    del each["relationships"][link]
        draw = self.random.random()
        if draw < 0.25:
            self.split(found["entityMappings"])
        elif draw < 0.35:
            self.merge(found["entityMappings"])
        return found

    def divide(self):
        """Passes by hand, in any order; entities of one table together."""
        tables = {}
        for entity in self.before:
            if not entity["abstract"]:
                tables.setdefault(lineage(entity, self.before)[-1]["name"], []).append(entity["name"])
        passes = list(tables.values())
        self.random.shuffle(passes)
        self.mapping_file["passes"] = passes[:self.random.randint(1, len(passes))]

    def split(self, mappings):
        """Divides the objects of a mapping between two, by a filter that SQL knows or by one that it does not."""
        whole = [each for each in mappings if "filter" not in each]
        if not whole:
            return
        first = self.random.choice(whole)
        second = copy.deepcopy(first)
        second["name"] = self.new_name("Rest")
        form = self.random.choice(["modulus:by:(mark, 3) {} 1", "mark {} 1007"])
        first["filter"] = form.format("==" if "modulus" in form else ">")
        second["filter"] = form.format("!=" if "modulus" in form else "<=")
        mappings.append(second)

    def merge(self, mappings):
        """Lets objects become one that agree in a number or a text, which the mapping copies."""
        for mapping in self.random.sample(mappings, len(mappings)):
            copied = [name for name, text in mapping["attributes"].items()
                      if name != MARK and re.fullmatch(r"\$source\.\w+", text)]
            if copied and "filter" not in mapping:
                mapping["unique"] = [self.random.choice(copied)]
                mapping["keep"] = self.random.choice(["first", "last"])
                return

    def draw_policy(self):
        """A policy for one mapping of some drafts, which makes objects of further entities before or behind the mapping's:
        their entities and the place of the mapping's object among them. No other draw depends on it."""
        draw = random.Random(self.seed * 7 + 3)
        mappings = self.mapping_file["entityMappings"]
        whole = [each for each in mappings if "unique" not in each and "filter" not in each]
        if not whole or draw.random() > 0.4:
            return None
        mapping = draw.choice(whole)
        taken = {each["destination"] for each in mappings if each["source"] == mapping["source"]}
        others = [each for each in self.after if not each["abstract"] and each["name"] not in taken
                  and identity(each) != mapping["source"]]
        below = [each for each in others if named(self.after, mapping["destination"]) in lineage(each, self.after)[1:]]
        others = below if below and draw.random() < 0.6 else others
        if not others:
            return None
        mapping["policy"] = "Several"
        made = [draw.choice(others)["name"] for _ in range(draw.choice([1, 1, 2]))]
        return {"mapping": mapping, "made": made, "place": draw.randint(0, len(made))}

    def value(self, attribute, sources):
        if self.random.random() < 0.06 and attribute["type"] in CONSTANTS:
            return CONSTANTS[attribute["type"]]
        if attribute["name"] == MARK or "derived" in attribute or "elements" in attribute:
            return None
        # Values that may lie in a file are copied, or left to inference, and nothing else is made of them.
        if attribute.get("external"):
            same = [each["name"] for each in sources if each["name"] == identity(attribute)]
            return f"$source.{same[0]}" if same and self.random.random() < 0.5 else None
        return super().value(attribute, [each for each in sources
                                         if each["name"] != MARK and "elements" not in each and not each.get("external")])


def continued(entities, between):
    """A version with the ids that it has for the one before the one before it."""
    found = copy.deepcopy(entities)

    def trace(item, olds):
        old = next((each for each in olds if each["name"] == identity(item)), None)
        if old:
            item["id"] = identity(old)

    attributes, links = ([each for each in items(between) if kind in each] for kind in ("type", "target"))
    elements = [each for attribute in attributes for each in attribute.get("elements", ())]
    for entity in found:
        trace(entity, between)
        for attribute in entity["attributes"]:
            for element in attribute.get("elements", ()):
                trace(element, elements)
            trace(attribute, attributes)
        for link in entity["relationships"]:
            trace(link, links)
    return found

"""Draws a photo journal: a model with the features of a case, its later versions, and a mapping between them. Entities
and properties have a role, which stays whatever they are called."""
import itertools, random, string

import chance
from chance import attribute_of, items, named
from drawing import MARK

STORE = ["derived", "R-tree", "history", "CloudKit", "composite", "external", "ordered", "unmanaged tables",
         "own triggers", "UTF-16"]
RUN = ["quarantine", "external policy", "kill", "time limit", "replay", "staged fleet", "in place", "route"]
# `migrate` leaves nothing out, a fleet is not in place, and the state from which objects are replayed is staged nowhere.
APART = [{"in place", "quarantine"}, {"in place", "replay"}, {"in place", "staged fleet"}, {"staged fleet", "replay"}]
PAIRS = [pair for pair in itertools.combinations(RUN, 2) if set(pair) not in APART]
# The marks of places, which a policy makes, follow this number.
PLACES = 9_000_000


class Journal:
    """The versions of a model, the way from the first to the last, and the mapping file of one step, if any."""

    def __init__(self, seed):
        self.seed, self.random = seed, random.Random(f"combinations {seed}")
        self.store = set(self.random.sample(STORE, 3))
        self.run = set(self.random.choice(PAIRS))
        self.features = self.store | self.run
        self.names, self.count = set(), 0
        self.way = self.random.choice(["mapping", "mapping", "inferred", "inferred", "copy"])
        # A fleet goes over a version between only where a mapping does.
        if "external policy" in self.run or {"staged fleet", "route"} == self.run:
            self.way = "mapping"
        self.forms = set()
        if self.way == "mapping":
            self.forms = set(self.random.sample(["divide", "split off", "merge", "leave out"], self.random.randint(0, 2)))
            if "external policy" in self.run:
                self.forms -= {"divide", "leave out"}
            if "ordered" in self.store:
                self.forms -= {"merge"}
        # What leaves objects out: a policy, a rule that mappings are held to, or one that inferred steps are held to.
        self.rule = None
        if self.run & {"quarantine", "replay"}:
            self.rule = "policy" if "external policy" in self.run else "required" if self.way == "mapping" else "unique"
        # The version that the mapping makes and whose rule is broken. Of what a later step leaves out no values are kept.
        length = 2 if "route" in self.run else 1
        self.strict = 1 if "replay" in self.run else length
        self.versions = [self.first()]
        for number in range(1, length + 1):
            self.versions.append(self.changed(self.versions[-1]))
            if number == self.strict:
                self.extend(self.versions[-1])
        for number, version in enumerate(self.versions):
            finish(version, number >= self.strict and self.rule)
        self.mapping = None
        if self.way == "mapping":
            self.mapping = self.entity_mappings(*self.versions[self.strict - 1:self.strict + 1])

    @property
    def before(self):
        return self.versions[0]

    # Models

    def name(self, role, is_attribute=False):
        """A new name, long or short, since hashes of names decide about the names of join tables."""
        while True:
            found = role + "".join(self.random.choices(string.ascii_lowercase, k=self.random.choice([0, 1, 2, 5, 20])))
            if is_attribute:
                found += self.random.choice(["", "", "3", "ß"])
            if found.upper() not in self.names and found not in ("description", "hash"):
                self.names.add(found.upper())
                return found

    def new_role(self):
        self.count += 1
        return "new" + string.ascii_lowercase[self.count // 26] + string.ascii_lowercase[self.count % 26]

    def attribute(self, role, kind, **more):
        name = MARK if role.startswith(MARK) else self.name(role, True)
        return attribute_of(name, kind, role=role, **more)

    def entity(self, role, *attributes, parent=None, name=None):
        marks = [] if parent else [self.attribute(f"{MARK} {role}", "Integer 64")]
        return {"role": role, "name": name or self.name(role.capitalize()), "parent": parent, "abstract": False, "id": None,
                "attributes": [*attributes, *marks], "relationships": [], "indexes": []}

    def connect(self, near, far, roles, many, ordered=(False, False), names=None):
        names = names or [self.name(role) for role in roles]
        for role, link in zip(roles, chance.connect(near, far, names, many, ordered)):
            link["role"] = role

    def first(self):
        title = self.attribute("title", "String")
        photo = self.entity("photo", title, self.attribute("stars", "Integer 32"), self.attribute("score", "Double"),
                            self.attribute("flag", "Boolean"), self.attribute("day", "Date"), self.attribute("note", "String"))
        album = self.entity("album", self.attribute("label", "String"))
        tag, setting = self.entity("tag", self.attribute("word", "String")), self.entity("setting", self.attribute("key", "String"))
        memo = self.entity("memo", self.attribute("extra", "String"), parent=photo["name"])
        is_ordered = "ordered" in self.store
        # A relationship that is called as its entity: its column and the table have one name.
        inverse = album["name"].lower() if self.random.random() < 0.5 else self.name("album")
        self.connect(album, photo, ("photos", "album"), (True, False), (is_ordered, False), (self.name("photos"), inverse))
        self.connect(photo, tag, ("tags", "tagged"), (True, True), (is_ordered and self.random.random() < 0.6, False))
        self.connect(photo, photo, ("similar", "similarTo"), (True, True))
        self.connect(photo, photo, ("next", "earlier"), (False, True))
        if "composite" in self.store:
            for role in ("home", "work"):
                photo["attributes"].append(self.attribute(role, "Composite", composite="Address", elements=[
                    attribute_of(part, kind, role=part) for part, kind in (("city", "String"), ("zip", "Integer 32"))]))
        if "external" in self.store:
            photo["attributes"].append(self.attribute("image", "Binary", external=True))
        if "R-tree" in self.store:
            photo["attributes"] += [self.attribute("lat", "Double"), self.attribute("lon", "Double")]
        if "derived" in self.store:
            for owner, role, kind, formula in ((album, "photoCount", "Integer 64", "{photos}.@count"),
                                               (album, "starSum", "Integer 64", "{photos}.@sum.{stars}"),
                                               (photo, "albumLabel", "String", "{album}.{label}"),
                                               (photo, "capitals", "String", "uppercase:({title})")):
                if self.random.random() < 0.6:
                    owner["attributes"].append(self.attribute(role, kind, formula=formula))
        return [album, photo, memo, tag, setting]

    def changed(self, before):
        """The next version: attributes that are added, and other changes."""
        entities = chance.copy_of(before)
        changes = ["attributes", *self.random.sample(
            ["attribute", "attribute", "relationship", "relationship", "entity", "new_entity", "remove", "remove",
             "same_inverse", "order", "number", "attributes", "derived"], self.random.randint(2, 5))]
        for change in changes:
            getattr(self, "change_" + change)(entities)
        return entities

    def change_attributes(self, entities):
        entity = self.random.choice(entities)
        for _ in range(self.random.randint(1, 5)):
            kind = self.random.choice(["Integer 32", "String", "Double", "Date"])
            default = "7" if kind == "Integer 32" and self.random.random() < 0.5 else None
            entity["attributes"].append(self.attribute(self.new_role(), kind, default=default))

    def change_attribute(self, entities):
        self.rename(self.random.choice([each for entity in entities for each in entity["attributes"] if each["name"] != MARK]))

    def change_relationship(self, entities):
        links = [each for each in items(entities) if "target" in each]
        # One that the triggers of the application name more often than others.
        named_ones = [each for each in links if each["role"] == "album" and "own triggers" in self.store]
        link = self.random.choice(named_ones or links) if self.random.random() < 0.5 else self.random.choice(links)
        inverse = inverse_of(link, entities)
        self.rename(link)
        inverse["inverse"] = link["name"]

    def change_entity(self, entities):
        entity = self.random.choice(entities)
        old = entity["name"]
        self.rename(entity)
        chance.follow_name(entities, old, entity["name"])

    def rename(self, item):
        item["id"] = item["id"] or item["name"]
        name = self.name(item["role"], "type" in item)
        item["name"] = name.capitalize() if "attributes" in item else name

    def change_new_entity(self, entities):
        """An entity whose name moves the numbers of others, with a relationship to many of photos."""
        role = self.new_role()
        entity = self.entity(role, self.attribute(self.new_role(), "String"),
                             name=self.random.choice(["Aa", "Nn", "Pi", "Zz"]) + role)
        other = self.random.choice([each for each in entities if each["role"] != "setting"])
        self.connect(entity, other, (self.new_role(), self.new_role()), (True, True))
        entities.append(entity)

    def change_remove(self, entities):
        """Removes an entity, or an attribute."""
        photo = of_role(entities, "photo")
        if self.random.random() < 0.5:
            entities[:] = [each for each in entities if each["role"] != "setting"]
        else:
            photo["attributes"] = [each for each in photo["attributes"] if each["role"] != "note"]

    def change_same_inverse(self, entities):
        """A second relationship to many whose inverse is called as that of the first."""
        photo, tag = of_role(entities, "photo"), of_role(entities, "tag")
        if not any(each["role"] == "person" for each in entities):
            person = self.entity("person", self.attribute("called", "String"))
            name = of_role(tag["relationships"], "tagged")["name"]
            self.connect(photo, person, ("people", "shown"), (True, True), names=(self.name("people"), name))
            entities.append(person)

    def change_order(self, entities):
        if "ordered" in self.store and "mapping" != self.way and "route" not in self.run:
            link = of_role(items(entities), self.random.choice(["photos", "tags"]))
            link["ordered"] = not link["ordered"]

    def change_number(self, entities):
        of_role(items(entities), "stars")["type"] = "Integer 64"

    def change_derived(self, entities):
        if "derived" in self.store and not any(each["role"] == "uses" for each in items(entities)):
            of_role(entities, "tag")["attributes"].append(self.attribute("uses", "Integer 64", formula="{tagged}.@count"))

    def extend(self, entities):
        """What the last step needs: rules, and entities that mappings and policies fill."""
        photo = of_role(entities, "photo")
        if self.rule == "required":
            of_role(photo["attributes"], "title")["required"] = True
        if "external policy" in self.run:
            place = self.entity("place", self.attribute("spot", "String"))
            self.connect(photo, place, ("where", "placed"), (False, True))
            entities.append(place)
        if "split off" in self.forms:
            role = "image" if "external" in self.store else "score"
            moved = of_role(photo["attributes"], role)
            photo["attributes"].remove(moved)
            picture = self.entity("picture", dict(moved, name=self.name("shot", True), id=None))
            self.connect(photo, picture, ("shot", "shotOf"), (False, False))
            entities.append(picture)

    # The mapping

    def entity_mappings(self, before, after):
        found = []
        left_out = self.random.choice(["album", "album" if "merge" in self.forms else "tag"]) if "leave out" in self.forms else None
        for entity in after:
            source = next((each for each in before if each["role"] == entity["role"]), None)
            if source and entity["role"] != left_out:
                found.append(self.entity_mapping(source, entity, before, after))
        photo = next(each for each in found if each["source"] == of_role(before, "photo")["name"])
        if "external policy" in self.run:
            photo["policy"] = "Journal.Photos"
        old = {each["role"]: each["name"] for each in items(before)}
        if "divide" in self.forms:
            texts = [f"{old['image']} {sign} nil" for sign in ("!=", "==")] if "external" in self.store else [
                f"{old['stars']} {sign} 2" for sign in (">", "<=")]
            found.append(dict(photo, name="Rest", filter=texts[1]))
            photo["filter"] = texts[0]
        if "split off" in self.forms:
            picture, shot = of_role(after, "picture"), old["image" if "external" in self.store else "score"]
            found.append({"name": "Split", "source": photo["source"], "destination": picture["name"], "filter": f"{shot} != nil",
                          "attributes": {MARK: f"$source.{MARK}", picture["attributes"][0]["name"]: f"$source.{shot}"},
                          "relationships": {picture["relationships"][0]["name"]: (
                              'FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", '
                              f'"{photo["name"]}", $source)')}})
            if "divide" in self.forms:
                # Which of the two mappings makes the photo is not known there.
                found[-1]["relationships"] = {}
                for each in (photo, found[-2]):
                    each["relationships"] = dict(each["relationships"], **{of_role(items(after), "shot")["name"]: (
                        'FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "Split", $source)')})
        if "merge" in self.forms:
            tag = next(each for each in found if each["source"] == of_role(before, "tag")["name"])
            tag.update(unique=[of_role(items(after), "word")["name"]], keep="first")
        return {"bulkmigrate": "mapping/1", **({} if left_out else {"infer": "none"}), "entityMappings": found}

    def entity_mapping(self, source, entity, before, after):
        olds = {each["role"]: each["name"] for each in chance.properties(source, before, "attributes")}
        attributes = {}
        for each in chance.properties(entity, after, "attributes"):
            if each["role"] in olds and "formula" not in each:
                for tail in [f".{part['name']}" for part in each.get("elements", ())] or [""]:
                    attributes[each["name"] + tail] = f"$source.{olds[each['role']]}{tail}"
        links = {each["role"]: each["name"] for each in chance.properties(source, before, "relationships")}
        relationships = {
            each["name"]: f'FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", '
                          f'"{links[each["role"]]}", $source.{links[each["role"]]})'
            for each in chance.properties(entity, after, "relationships") if each["role"] in links}
        return {"name": f"{source['name']}To{entity['name']}", "source": source["name"], "destination": entity["name"],
                "attributes": attributes, "relationships": relationships}


def of_role(several, role):
    return next(each for each in several if each["role"] == role)


def inverse_of(link, entities):
    return named(named(entities, link["target"])["relationships"], link["inverse"])


def finish(entities, rule):
    """Writes formulas, indexes and a constraint with the names of a version."""
    names = {each["role"]: each["name"] for each in items(entities)}
    for entity in entities:
        if rule == "unique" and entity["role"] == "photo":
            entity["unique"] = names["title"]
        if "lat" in names and entity["role"] == "photo":
            entity["indexes"] = [("byPlace", "RTree", [names["lat"], names["lon"]])]
        for attribute in entity["attributes"]:
            if "formula" in attribute:
                attribute["derived"] = attribute["formula"].format(**names)

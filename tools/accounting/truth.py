"""What a migration lost, by the two stores alone: for every object, cell, link and row of the source whether the
destination has it. What a mapping reads of a cell is known from the drawn mapping, not from the program's plan."""
import collections, re

import chance
from chance import identity, named
from reading import HISTORY


class Lost:
    """How many of a group are lost: `must` have to be counted, `may` more can be."""

    def __init__(self, form):
        self.form, self.must, self.may = form, 0, 0

    @property
    def most(self):
        return self.must + self.may


class Truth:
    """The losses by group: ("objects", entity), ("values", entity, attribute, element), ("links", relationship)
    or ("rows", table or table.column)."""

    def __init__(self, draft, source, destination, rejected):
        """`rejected` are the keys of objects that were left out, by their entities."""
        self.draft, self.source, self.destination = draft, source, destination
        self.rejected = {(entity, key) for entity, keys in rejected.items() for key in keys}
        self.groups, self.edges, self.missing = {}, {}, 0
        self.readings = readings(draft)
        self.merged = self.merges()
        self.continued = self.continuations()
        self.contested = self.contests()
        self.add_objects()
        self.add_values()
        self.add_links()
        self.add_rows()

    def group(self, form, *key):
        return self.groups.setdefault(key, Lost(form))

    def made(self, found):
        """The objects of the destination that were made from one of the source."""
        return self.destination.marked.get(found.mark, []) + self.merged.get(found.mark, [])

    def merges(self):
        """The objects of the destination into which others of the source went, by their marks; a policy's are none."""
        result = {}
        finding = [each for each in (self.draft.mapping_file or {}).get("entityMappings", []) if "unique" in each]
        for mapping in finding:
            sources = {each["source"] for each in finding if each["destination"] == mapping["destination"]}
            marks = {found.mark for found in self.source.objects.values() if found.entity in sources}
            name = mapping["unique"][0]
            old = mapping["attributes"][name].split(".")[1]
            by_value = {}
            for made in self.destination.objects.values():
                if made.entity == mapping["destination"] and made.mark in marks:
                    by_value.setdefault(made.row["Z" + name.upper()], []).append(made)
            for found in self.source.objects.values():
                if found.entity == mapping["source"]:
                    several = [made for made in by_value.get(found.row["Z" + old.upper()], ())
                               if made.mark != found.mark]
                    result.setdefault(found.mark, []).extend(several)
        return {mark: several for mark, several in result.items() if several}

    def is_rejected(self, found):
        return (found.entity, found.row["Z_PK"]) in self.rejected

    def rejected_wholly(self, entity):
        """How many objects were left out by all mappings that would have made something of them."""
        return sum(found.entity == entity and self.is_rejected(found) and not self.made(found)
                   for found in self.source.objects.values())

    # Objects and values

    def add_objects(self):
        kept = sum(self.destination.strays.values())
        for table, count in self.source.strays.items():
            self.group("stray row", "rows", table).must += count - min(kept, count)
        for found in self.source.objects.values():
            group = self.group("object", "objects", found.entity)
            group.must += not self.made(found)
            # An object of another mapping may only have the values of the one into which it would have gone.
            ways = {each.entity for each in self.merged.get(found.mark, ())}
            group.may += found.mark not in self.destination.marked and any(map(self.is_made_by_several, ways))

    def add_values(self):
        for entity in self.draft.before:
            for attribute in chance.properties(entity, self.draft.before, "attributes"):
                form = ("composite element" if "elements" in attribute else
                        "derived value" if "derived" in attribute else "column")
                for element, column in self.source.cells(entity, attribute).items():
                    group = self.group(form, "values", entity["name"], attribute["name"], element)
                    fates = collections.Counter(
                        self.fate(found, attribute, element) for found in self.source.objects.values()
                        if found.entity == entity["name"] and found.row[column] is not None)
                    group.must += fates["lost"] + fates["missing"]
                    self.missing += fates["missing"]
                    # A further step may lose what still names the file.
                    group.may += fates["missing"] if self.draft.between else 0
                    # With a lost object go its values; one by one they may be counted where no value is kept.
                    group.may += fates["perhaps"] + (0 if fates["kept"] else fates["with its object"])

    def fate(self, found, attribute, element):
        """What became of a value."""
        result = "lost"
        value = found.row[self.source.cells(named(self.draft.before, found.entity), attribute)[element]]
        if not self.made(found):
            # A file that is missing is counted before it is known which objects are left out.
            return "perhaps" if value in self.draft.missing and self.is_rejected(found) else "with its object"
        if value in self.draft.missing:
            return "missing"
        for made in self.made(found):
            makers = [each for each in self.readings if each.source == found.entity and each.destination == made.entity]
            number = sum(other.entity == made.entity for other in self.made(found))
            # An object of another mapping may only have the values of the one into which this would have gone.
            if made.mark != found.mark and self.is_made_by_several(made.entity):
                result = "perhaps"
                continue
            for maker in makers:
                for own, cell in maker.copies(attribute, element, self.destination):
                    # Where another mapping may have made the object, another value may be that one's.
                    if made.row.get(cell) is not None:
                        if made.row[cell] == value or len(makers) == number:
                            return "kept"
                        result = "perhaps"
                    if "derived" in own and self.is_underived(made, own, self.destination):
                        result = "perhaps"
                if attribute["name"] in maker.read:
                    if len(makers) == number:
                        return "kept"
                    result = "perhaps"
        # A version between derives it anew, of what is no object for it.
        if self.draft.between and "derived" in attribute and self.is_underived(found, attribute, self.source):
            return "perhaps"
        # One mapping left the object out, with what only it reads, and another did not; or it gave way to one that
        # agrees with it.
        return "perhaps" if self.is_rejected(found) or found.mark in self.merged else result

    def is_made_by_several(self, entity):
        return sum(each.destination == entity for each in self.readings) > 1

    def is_underived(self, made, attribute, store):
        """Whether a derived value is nil, or is when it is derived anew, because what it derives from is."""
        words = attribute["derived"].removeprefix("uppercase:(").removesuffix(")").split(".")
        if words[-1] == "@count":
            return False
        value = made.row.get("Z" + words[0].upper())
        if len(words) == 1 or value is None:
            return value is None
        target = named(store.entities, store.relationship(words[0])[1]["target"])
        end = store.objects.get((store.table(target), value))
        return end is None or end.row.get("Z" + words[1].upper()) is None

    # Links

    def continuations(self):
        """The destination's relationships that continue one of the source, by its name, and whether the other way round."""
        found = {}
        for reading in self.readings:
            for name, path in reading.links.items():
                if len(path) == 1:
                    found.setdefault(path[0], set()).add(name)
        return found

    def contests(self):
        """The source's relationships of which links may be replaced by others: mappings follow several of them, or
        none, for one relationship of the destination and its inverse. What is lost then is a matter of words."""
        paths = {}
        for reading in self.readings:
            for name, path in reading.links.items():
                paths.setdefault(canonical(self.destination, name), set()).add(tuple(
                    canonical(self.source, each) for each in path))
        found = set()
        for several in paths.values():
            if len(several) > 1 or len(next(iter(several))) != 1:
                found |= {name for path in several for name in path}
        return found

    def add_links(self):
        seen, edges = set(), self.edges
        for entity in self.draft.before:
            for link in entity["relationships"]:
                key = canonical(self.source, link["name"])
                if key in seen or key in self.contested:
                    continue
                seen.add(key)
                pairs = self.source.links(link["name"])
                inverse = self.source.relationship(link["inverse"])[1] if link["inverse"] else None
                form = "pair" if any("pair" in sides for sides in pairs.values()) else "link"
                group = self.group(form, "links", key)
                there = self.ends(self.continued.get(link["name"], ()), edges)
                back = self.ends(self.continued.get(link["inverse"], ()), edges)
                for (near, far), sides in pairs.items():
                    self.add_place(link, near, far, sides.total())
                    if inverse:
                        self.add_place(inverse, far, near, sides.total())
                    if near is None or far is None:
                        group.may += sides.total()
                    elif any((one.mark, two.mark) in there or (two.mark, one.mark) in back
                             for one in self.made(near) for two in self.made(far)):
                        # Which of several equal objects an object went into is not known.
                        if near.mark in self.merged or far.mark in self.merged:
                            group.may += 1
                        continue
                    elif near.mark in self.merged or far.mark in self.merged:
                        group.may += 1
                    else:
                        kept = [bool(self.made(near)), bool(self.made(far))]
                        if any(self.is_rejected(end) and self.made(end) for end in (near, far)):
                            group.may += 1
                            continue
                        if self.draft.between and not all(kept) and ("pair" in sides or set(sides) == {"near", "far"}):
                            # A version between may keep a link that two rows or a pair hold only in the object that goes.
                            group.may += 1
                            continue
                        counted = ("near" in sides and kept[0] or "far" in sides and kept[1]
                                   or "pair" in sides and any(kept))
                        group.must += counted
                        group.may += not counted

    def add_place(self, link, near, far, count):
        """The place of a member of an ordered relationship. It is lost where the link is kept in one to many that is
        not ordered; with a lost link it may be counted."""
        if not (link["ordered"] and link["many"]):
            return
        group = self.group("place", "places", link["name"])
        kept = [name for name in self.continued.get(link["name"], ()) if near and far
                and any((one.mark, two.mark) in self.ends([name], self.edges)
                        for one in self.made(near) for two in self.made(far))]
        if not kept:
            group.may += count
            return
        forms = [self.destination.relationship(name)[1] for name in kept]
        if not any(each["many"] and each["ordered"] for each in forms):
            # By its place the first member may be found, which a relationship to one keeps.
            between = [each for entity in self.draft.between or () for each in entity["relationships"]
                       if identity(each) == link["name"]]
            is_needed = all(each["many"] for each in forms + between)
            group.must += is_needed
            group.may += not is_needed

    def ends(self, names, edges):
        """The links of some relationships of the destination, by the marks of their ends."""
        for name in names:
            if name not in edges:
                edges[name] = {(near.mark, far.mark) for near, far in self.destination.links(name) if near and far}
        return set().union(*(edges[name] for name in names))

    # Rows and columns that no model explains

    def add_rows(self):
        for table, text in self.source.other_tables().items():
            form = ("CloudKit" if table.startswith("ANSCK") else "R-tree" if "VIRTUAL" in text else "unmanaged row")
            kept = 0
            if table in self.destination.other_tables():
                kept = self.destination.count(table)
            group = self.group(form, "rows", table)
            group.must = self.source.count(table) - kept
            if form != "unmanaged row":
                # What belongs to an object that goes may be counted while it stays.
                group.may = kept
        for table in HISTORY:
            if table in self.source.tables:
                kept = self.destination.count(table) if table in self.destination.tables else 0
                self.group("history", "rows", table).must = self.source.count(table) - kept
        for table in self.source.rows:
            for column in self.source.other_columns(table):
                group = self.group("column", "rows", f"{table}.{column}")
                for row in self.source.rows[table]:
                    found = self.source.objects[table, row["Z_PK"]]
                    made = self.made(found)
                    if row[column] is not None:
                        is_lost = all(each.row.get(column) is None for each in made)
                        group.must += bool(made) and is_lost
                        group.may += not made


def canonical(store, name):
    """One name for a relationship and its inverse."""
    _, link = store.relationship(name)
    return min(name, link["inverse"] or name)


# What mappings read

class Reading:
    """What one entity mapping reads."""

    def __init__(self, source, destination):
        self.source, self.destination = source["name"], destination["name"]
        # The destination's attributes that copy one of the source, by their own name; those that only read are apart.
        self.copied, self.read, self.links = {}, set(), {}
        self.entity = destination

    def copies(self, attribute, element, store):
        """The attributes and columns of the destination that continue a cell."""
        for own in chance.properties(self.entity, store.entities, "attributes"):
            # What is derived is derived anew, whatever a mapping says.
            derived = "derived" in own and "derived" in attribute and identity(own) == attribute["name"]
            if self.copied.get(own["name"]) != attribute["name"] and not derived:
                continue
            cells = store.cells(self.entity, own)
            if "elements" not in own:
                yield own, cells[own["name"]]
            for part in own.get("elements", ()):
                if identity(part) == element:
                    yield own, cells[part["name"]]


def readings(draft):
    """What each entity mapping reads, the inferred ones included."""
    explicit = (draft.mapping_file or {}).get("entityMappings", [])
    found = []
    for mapping in explicit:
        found.append(reading(draft, named(draft.before, mapping["source"]),
                             named(draft.after, mapping["destination"]), mapping))
    for entity in draft.after:
        if entity["abstract"] or any(each["destination"] == entity["name"] for each in explicit):
            continue
        for source in draft.before:
            if source["name"] == identity(entity) and not source["abstract"]:
                found.append(reading(draft, source, entity, {}))
    return found


def reading(draft, source, destination, mapping):
    result = Reading(source, destination)
    values = mapping.get("attributes", {})
    sources = {each["name"]: each for each in chance.properties(source, draft.before, "attributes")}
    for attribute in chance.properties(destination, draft.after, "attributes"):
        old = sources.get(identity(attribute))
        if attribute["name"] in values:
            text = values[attribute["name"]]
            copied = re.fullmatch(r"\$source\.(\w+)", text)
            if copied:
                result.copied[attribute["name"]] = copied[1]
            else:
                result.read |= set(re.findall(r"\$source\.(\w+)", text))
        elif old and old["type"] == attribute["type"]:
            result.copied[attribute["name"]] = old["name"]
    calls = mapping.get("relationships", {})
    olds = {each["name"] for each in chance.properties(source, draft.before, "relationships")}
    for link in chance.properties(destination, draft.after, "relationships"):
        if link["name"] in calls:
            path = re.search(r"\$source((?:\.\w+)*)\)$", calls[link["name"]])[1].split(".")[1:]
            result.links[link["name"]] = path
        elif identity(link) in olds:
            result.links[link["name"]] = [identity(link)]
    return result

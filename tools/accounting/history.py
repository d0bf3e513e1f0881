"""What a persistent history is after inferred migrations, by the rules of Core Data's migrator, step by step: cut at the
last change of a removed entity, masks and tombstones by the names of properties."""
import chance
from chance import identity, is_preserved, named


def tombstones(entity, entities):
    return sorted(each["name"] for each in chance.properties(entity, entities, "attributes") if is_preserved(each))


def bits(entity, entities):
    """The bits of an entity's masks: what of which property each stands for."""
    def inverse(link):
        target = named(entities, link["target"])
        return next((each for each in chance.properties(target, entities, "relationships")
                     if link["inverse"] and each["name"] == link["inverse"]), None)

    links = sorted(chance.properties(entity, entities, "relationships"), key=lambda each: each["name"])
    ones, many = [each for each in links if not each["many"]], [each for each in links if each["many"]]
    numbered = [each for each in ones if any(other["parent"] == each["target"] for other in entities)]
    placed = [each for each in ones if inverse(each) and inverse(each)["many"] and inverse(each)["ordered"]]
    attributes = sorted(name for each in chance.properties(entity, entities, "attributes") for name in
                        ([f"{each['name']}.{part['name']}" for part in each["elements"]] if "elements" in each
                         else [each["name"]]))
    pairs = [each for each in many if inverse(each) and inverse(each)["many"]]
    return ([("value", each["name"]) for each in ones] + [("entity", each["name"]) for each in numbered]
            + [("place", each["name"]) for each in placed] + [("value", name) for name in attributes]
            + [("value", each["name"]) for each in many if each not in pairs]
            + [("value", each["name"]) for each in pairs])


def remasked(mask, old, new):
    """A mask of some bits as one of others; the first bit is the highest one of the first byte."""
    named_bits = set()
    if len(mask) * 8 >= len(old):
        text = "".join(f"{byte:08b}" for byte in mask)
        named_bits = {bit for bit, digit in zip(old, text) if digit == "1"}
    text = "".join("1" if bit in named_bits else "0" for bit in new)
    return bytes(int(text[start:start + 8].ljust(8, "0"), 2) for start in range(0, len(text), 8))


class Change:
    def __init__(self, row, numbers):
        self.key, self.type, number, self.transaction, self.mask, *self.values = row
        self.entity = numbers.get(number)

    @property
    def line(self):
        values = list(self.values)
        while values and values[-1] is None:
            values.pop()
        return self.key, self.type, self.entity, self.transaction, self.mask, *values


def changes(store):
    """The changes of a store, and its number of tombstone columns."""
    columns = [name for name in store.columns("ACHANGE") if name.startswith("ZTOMBSTONE")]
    names = ["Z_PK", "ZCHANGETYPE", "ZENTITY", "ZTRANSACTIONID", "ZCOLUMNS", *columns]
    rows = store.connection.execute(f"SELECT {', '.join(names)} FROM ACHANGE ORDER BY Z_PK")
    return [Change(row, store.numbers) for row in rows], len(columns)


def expected(store, versions, is_partial):
    """The lines of the changes that a store keeps over versions of its model, and its number of tombstone columns."""
    found, width = changes(store)
    for old, new in zip(versions, versions[1:]):
        heirs = {identity(each): each["name"] for each in new}
        gone = {each["name"] for each in old} - heirs.keys()
        last = max((each.transaction for each in found if each.entity in gone), default=0)
        found = [each for each in found if each.entity in heirs and each.entity not in gone
                 and (is_partial or each.transaction > last)]
        before = max(len(tombstones(each, old)) for each in old)
        after = max(len(tombstones(each, new)) for each in new)
        for each in found:
            source, target = named(old, each.entity), named(new, heirs[each.entity])
            each.entity = target["name"]
            if each.type == 1 and each.mask is not None and bits(source, old) != bits(target, new):
                each.mask = remasked(each.mask, bits(source, old), bits(target, new))
            if each.type == 2:
                was, names = tombstones(source, old), tombstones(target, new)
                values = each.values + [None] * (max(width, after) - width)
                moved = [dict(zip(was, each.values)).get(name) for name in names]
                each.values = moved + [None if after <= place < before else value
                                       for place, value in enumerate(values) if place >= len(names)]
        width = max(width, after)
    return [each.line for each in found], width

"""Makes of every person a person without an address, and of every address that occurs one address, to which all persons
lead who live there. The same as PersonToPersonPolicy.swift.

    bulkmigrate run --policy Examples.PersonToPersonPolicy='python3 person_to_person.py'
"""
import json
import sys

PARTS = ["street", "city", "zip"]


def person(key, *values):
    """The person that the mapping describes, with the address that is found or made."""
    if all(value is None for value in values):
        return {}
    return {"to": {"address": {"entity": "Address", "find": dict(zip(PARTS, values))}}}


for line in sys.stdin:
    request = json.loads(line)
    answer = {"id": request["id"]}
    if request["hook"] == "start":
        answer |= {"bulkmigrate": "policy/1", "hooks": ["createDestinationInstances"], "values": PARTS}
    elif request["hook"] == "createDestinationInstances":
        answer["objects"] = [person(*row) for row in request["rows"]]
    print(json.dumps(answer), flush=True)

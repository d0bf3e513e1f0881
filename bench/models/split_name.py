"""A policy that makes a first and a last name of a name, for bench/run policies."""
import json
import sys


def split(key, name):
    words = (name or "").split(" ", 1)
    return {"set": {"first": words[0], "last": words[-1]}}


for line in sys.stdin:
    request = json.loads(line)
    answer = {"id": request["id"]}
    if request["hook"] == "start":
        answer |= {"bulkmigrate": "policy/1", "hooks": ["createDestinationInstances"], "values": ["name"]}
    elif request["hook"] == "createDestinationInstances":
        answer["objects"] = [split(*row) for row in request["rows"]]
    print(json.dumps(answer), flush=True)

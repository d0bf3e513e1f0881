"""Makes texts such as #ff8000 of colors that are three bytes. Colors that are not are left out, with the reason.

    bulkmigrate run --policy Examples.ColorPolicy='python3 color.py'
"""
import base64
import json
import sys


def swatch(key, color):
    """The swatch that the mapping describes, with its color as a text."""
    if color is None:
        return True
    data = base64.b64decode(color)
    if len(data) != 3:
        return {"reject": f"a color has 3 bytes, not {len(data)}"}
    return {"set": {"color": "#" + data.hex()}}


for line in sys.stdin:
    request = json.loads(line)
    answer = {"id": request["id"]}
    if request["hook"] == "start":
        answer |= {"bulkmigrate": "policy/1", "hooks": ["createDestinationInstances"], "values": ["color"]}
    elif request["hook"] == "createDestinationInstances":
        answer["objects"] = [swatch(*row) for row in request["rows"]]
    print(json.dumps(answer), flush=True)

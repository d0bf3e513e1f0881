/// The beginning of a policy in another language.
enum PolicyTemplate: String, CaseIterable {
  case python

  func text(_ name: String) -> String {
    switch self {
    case .python: Self.pythonText.replacing("NAME", with: name)
    }
  }

  private static let pythonText = #"""
    """The policy NAME. What it answers for an object depends on the object and on userInfo alone, so that a run that
    was interrupted goes on with the same result. bulkmigrate/Plans/schemas/policy.schema.json describes all lines.

        bulkmigrate run --policy NAME='python3 FILE'
    """
    import json
    import sys

    # Attributes, and key paths over to-one relationships, whose values are wanted of each source object.
    VALUES = []


    def objects(key, *values):
        """The destination objects of a source object.

        None                                         the object that the mapping describes
        {"set": {"name": "x"}}                       the same with other values
        {"entity": "Tag", "find": {"name": "red"}}   an object that is made once, found again later
        [{...}, {...}], []                           several, none
        {"reject": "why"}                            leave the source object out
        """
        return None


    def answer(request):
        if request["hook"] == "start":
            return {"bulkmigrate": "policy/1", "hooks": ["createDestinationInstances"], "values": VALUES}
        if request["hook"] == "createDestinationInstances":
            return {"objects": [objects(*row) for row in request["rows"]]}
        return {}


    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps({"id": request["id"], **answer(request)}), flush=True)

    """#
}

import BulkTestSupport
import Foundation
import Testing

/// Policies that are programs of another language.
@Suite(
  "Policies in any language",
  .tags(.promise9),
  .enabled(if: Program.path != nil && Python.isPresent, "needs the built program and python3")
)
struct ExternalPolicyTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try write(
      "v1.xcdatamodel/contents",
      Self.model(#"<attribute name="name" optional="YES" attributeType="String"/>"#)
    )
    try write(
      "v2.xcdatamodel/contents",
      Self.model(
        #"<attribute name="first" optional="YES" attributeType="String"/>"#
          + #"<attribute name="last" optional="YES" attributeType="String"/>"#
          + #"<attribute name="age" optional="YES" attributeType="Integer 16"/>"#
      )
    )
    try write(
      "all.json",
      """
      {"bulkmigrate": "mapping/1", "source": {"store": "People.sqlite", "model": "v1.xcdatamodel"},
       "destination": {"store": "New.sqlite", "model": "v2.xcdatamodel"}, "infer": "none",
       "entityMappings": [{"source": "Person", "destination": "Person", "policy": "SplitName", "attributes": {}}]}
      """
    )
    try write(
      "split.py",
      Self.loop(
        #"[{"set": {"first": row[1].split()[0], "last": row[1].split()[-1]}} for row in rows]"#
      )
    )
  }

  private static func model(_ attributes: String) -> String {
    """
    <?xml version="1.0"?>
    <model type="com.apple.IDECoreDataModeler.DataModel"><entity name="Person">\(attributes)</entity></model>
    """
  }

  /// A program with an expression that answers for rows.
  private static func loop(
    _ objects: String,
    hooks: String = #"["createDestinationInstances"]"#
  ) -> String {
    """
    import json, os, sys
    for line in sys.stdin:
        request = json.loads(line)
        answer = {"id": request["id"]}
        if request["hook"] == "start":
            answer |= {"bulkmigrate": "policy/1", "hooks": \(hooks), "values": ["name"]}
        else:
            rows = request.get("rows", [])
            answer["objects"] = \(objects)
        print(json.dumps(answer), flush=True)
    """
  }

  private func write(_ path: String, _ text: String) throws {
    let url = URL(fileURLWithPath: directory.path(path))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: url)
  }

  private func run(_ words: [String], environment: [String: String] = [:]) throws -> ProcessRun {
    try ProcessRun(
      Program.path ?? "/nowhere",
      words,
      in: directory.path,
      environment: Program.environment.merging(environment) { $1 }
    )
  }

  private func fixture(_ rows: Int) throws {
    let made = try run([
      "fixture", "-q", "--model", "v1.xcdatamodel", "--rows", "Person=\(rows)", "--output",
      "People.sqlite",
    ])
    try #require(made.status == 0, "\(made.errors)")
    let store = StoreFile(directory.path("People.sqlite"))
    try store.execute("UPDATE ZPERSON SET ZNAME = 'Ann ' || printf('%05d', Z_PK)")
  }

  private func policy(_ script: String) -> [String] { ["--policy", "SplitName=python3 \(script)"] }

  private func plan(_ script: String) throws {
    let plan = try run(["plan", "-q", "--mapping", "all.json"] + policy(script))
    try #require(plan.status == 0, "\(plan.errors)")
  }

  // MARK: What it does

  @Test func `a program makes the objects, and verify finds the same`() throws {
    try fixture(1_200)
    try plan("split.py")
    let run = try run(["run", "-q", "--max-loss", "all"] + policy("split.py"))
    #expect(run.status == 0, "\(run.errors)")
    let new = StoreFile(directory.path("New.sqlite"))
    #expect(
      try new.rows("SELECT Z_PK, ZFIRST, ZLAST FROM ZPERSON WHERE Z_PK IN (1, 501, 1200)") == [
        [1, "Ann", "00001"], [501, "Ann", "00501"], [1200, "Ann", "01200"],
      ]
    )
    #expect(try self.run(["verify", "--level", "full"] + policy("split.py")).status == 0)
  }

  @Test func `a fleet makes the stores that a single run makes`() throws {
    try fixture(1_200)
    try plan("split.py")
    try #require(try run(["run", "-q", "--max-loss", "all"] + policy("split.py")).status == 0)
    try write(
      "stores.jsonl",
      """
      {"id": "a", "source": "People.sqlite", "destination": "a.sqlite"}
      {"id": "b", "source": "People.sqlite", "destination": "b.sqlite"}
      """
    )
    let planning = [
      "fleet", "plan", "-q", "--manifest", "stores.jsonl", "--models", ".", "--mappings", ".",
      "--to", "v2", "--max-loss", "all",
    ]
    let planned = try run(planning + policy("split.py"))
    #expect(planned.status == 0, "\(planned.errors)")
    let fleet = try run(["fleet", "run", "-q"] + policy("split.py"))
    #expect(fleet.status == 0, "\(fleet.errors)")
    let single = try Data(contentsOf: URL(fileURLWithPath: directory.path("New.sqlite")))
    for name in ["a.sqlite", "b.sqlite"] {
      #expect(try Data(contentsOf: URL(fileURLWithPath: directory.path(name))) == single)
    }
  }

  @Test func `the options of a command name a program, and nothing else does`() throws {
    try fixture(2)
    try plan("split.py")
    let absent = try run(
      ["run", "-q"],
      environment: ["BULKMIGRATE_POLICY": "SplitName=python3 split.py"]
    )
    #expect(absent.status == 65)
    #expect(absent.errors.contains("there is no policy SplitName"), "\(absent.errors)")
    try write(
      "bulkmigrate.json",
      #"{"bulkmigrate": "config/1", "options": {"policy": ["SplitName=python3 split.py"]}}"#
    )
    let settled = try run(["run", "-q", "--config", "bulkmigrate.json"])
    #expect(settled.status == 65, "\(settled.status) \(settled.errors)")
    #expect(!FileManager.default.fileExists(atPath: directory.path("New.sqlite")))
  }

  @Test(arguments: [
    ("SplitName", "SplitName is not NAME=COMMAND"), ("=python3", "=python3 is not NAME=COMMAND"),
    ("SplitName=", "policy SplitName has no program"),
    ("SplitName='python3", "'python3 has no second '"),
    ("SplitName=python3 \\", "python3 \\ ends with a backslash"),
  ])
  func `a command that is none is refused`(text: String, message: String) throws {
    let run = try run(["run", "--policy", text])
    #expect(run.status == 64)
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test
  func `an object is rejected with the program's reason, or made several times, or not at all`()
    throws
  {
    try fixture(4)
    let answers =
      #"[{"reject": "it is the first"} if row[0] == 1 else [] if row[0] == 2 else False if row[0] == 3 else [{"set": {"age": 1}}, {"set": {"age": 2}}] for row in rows]"#
    try write("several.py", Self.loop(answers))
    try plan("several.py")
    let run = try run(
      ["run", "-q", "--max-loss", "all", "--on-error", "quarantine"] + policy("several.py")
    )
    #expect(run.status == 3, "\(run.errors)")
    let new = StoreFile(directory.path("New.sqlite"))
    #expect(try new.rows("SELECT ZAGE FROM ZPERSON ORDER BY Z_PK") == [[1], [2]])
    let rejects = try self.run(["rejects", "show", "Person"])
    #expect(rejects.output.contains("it is the first"), "\(rejects.output)")
  }

  @Test func `a run that is killed goes on with the same bytes`() throws {
    try fixture(30_000)
    try plan("split.py")
    let words = ["--max-loss", "all", "--batch-size", "1000"] + policy("split.py")
    #expect(try run(["run", "-q"] + words).status == 0)
    let undisturbed = try Data(contentsOf: URL(fileURLWithPath: directory.path("New.sqlite")))
    try FileManager.default.removeItem(atPath: directory.path("New.sqlite"))
    for step in ["commit:2", "commit:4"] {
      let killed = try run(
        ["run", "-q"] + words + ["--resume-if-started"],
        environment: ["BULKMIGRATE_FAILPOINT": step]
      )
      #expect(killed.status != 0)
    }
    let resumed = try run(["resume", "-q"] + policy("split.py"))
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: directory.path("New.sqlite"))) == undisturbed)
  }

  @Test func `a run is not resumed with another program`() throws {
    try fixture(30_000)
    try plan("split.py")
    let killed = try run(
      ["run", "-q", "--max-loss", "all", "--batch-size", "1000"] + policy("split.py"),
      environment: ["BULKMIGRATE_FAILPOINT": "commit:4"]
    )
    #expect(killed.status != 0)
    try write("split.py", Self.loop(#"[None for row in rows]"#))
    let resumed = try run(["resume", "-q"] + policy("split.py"))
    #expect(resumed.status == 65)
    #expect(
      resumed.errors.contains("the program of policy SplitName is not that of the interrupted run"),
      "\(resumed.errors)"
    )
    #expect(!FileManager.default.fileExists(atPath: directory.path("New.sqlite")))
  }

  @Test func `a program that answers otherwise after an interruption is refused`() throws {
    try fixture(30_000)
    try write(
      "fickle.py",
      Self.loop(#"[{"set": {"first": str(os.getpid())}} for row in rows]"#)
    )
    try plan("fickle.py")
    let killed = try run(
      ["run", "-q", "--max-loss", "all", "--batch-size", "1000"] + policy("fickle.py"),
      environment: ["BULKMIGRATE_FAILPOINT": "commit:8"]
    )
    #expect(killed.status != 0)
    let resumed = try run(["resume", "-q"] + policy("fickle.py"))
    #expect(resumed.status == 65)
    #expect(
      resumed.errors.contains("it answers otherwise than before the interruption"),
      "\(resumed.errors)"
    )
  }

  @Test(arguments: ["commit:5", "commit:20", "commit:32", "commit:40"])
  func `hooks, functions, relationships and userInfo survive a kill`(step: String) throws {
    let title = #"<attribute name="title" optional="YES" attributeType="String"/>"#
    let made =
      #"<attribute name="n" optional="YES" attributeType="Integer 64"/>"#
      + #"<attribute name="loud" optional="YES" attributeType="String"/>"#
    for (version, attributes) in [("v3", title), ("v4", title + made)] {
      try write(
        "\(version).xcdatamodel/contents",
        """
        <?xml version="1.0"?>
        <model type="com.apple.IDECoreDataModeler.DataModel"><entity name="Note">\(attributes)
        <relationship name="folder" optional="YES" maxCount="1" destinationEntity="Folder" inverseName="notes"/></entity>
        <entity name="Folder"><attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="notes" optional="YES" toMany="YES" destinationEntity="Note" inverseName="folder"/></entity>
        </model>
        """
      )
    }
    try write(
      "all.json",
      #"""
      {"bulkmigrate": "mapping/1", "source": {"store": "Notes.sqlite", "model": "v3.xcdatamodel"},
       "destination": {"store": "New.sqlite", "model": "v4.xcdatamodel"}, "infer": "none",
       "entityMappings": [
         {"source": "Folder", "destination": "Folder", "attributes": {"name": "$source.name"}},
         {"source": "Note", "destination": "Note", "policy": "SplitName", "attributes":
           {"title": "$source.title", "loud": "FUNCTION($entityPolicy, \"shout:\", $source.title)"}}]}
      """#
    )
    try write(
      "notes.py",
      """
      import json, sys
      HOOKS = ["begin", "createDestinationInstances", "createRelationships"]
      def answer(request):
          hook, rows = request["hook"], request.get("rows")
          if hook == "start":
              return {"bulkmigrate": "policy/1", "hooks": HOOKS, "values": ["title"], "functions": ["shout:"]}
          if hook == "begin":
              return {"userInfo": {"base": 7}}
          if hook == "function":
              return {"value": request["arguments"][0].upper()}
          if hook == "createDestinationInstances":
              return {"objects": [{"set": {"n": request["userInfo"]["base"] + row[0]}} for row in rows]}
          return {"objects": [{"to": {"folder": [{"mapping": "FolderToFolder", "sources": [1 + row[1] % 5]}]}} for row in rows]}
      for line in sys.stdin:
          request = json.loads(line)
          print(json.dumps({"id": request["id"], **answer(request)}), flush=True)
      """
    )
    let fixture = try run(
      [
        "fixture", "-q", "--model", "v3.xcdatamodel", "--rows", "Note=30000", "--rows", "Folder=5",
        "--output", "Notes.sqlite",
      ]
    )
    try #require(fixture.status == 0, "\(fixture.errors)")
    try StoreFile(directory.path("Notes.sqlite")).execute(
      "UPDATE ZNOTE SET ZTITLE = 'note ' || Z_PK"
    )
    try plan("notes.py")
    let words = ["run", "-q", "--max-loss", "all", "--batch-size", "1000"] + policy("notes.py")
    #expect(try run(words, environment: ["BULKMIGRATE_FAILPOINT": step]).status != 0)
    let resumed = try run(["resume", "-q"] + policy("notes.py"))
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(
      try StoreFile(directory.path("New.sqlite")).rows(
        "SELECT count(*), sum(ZN = 7 + Z_PK), sum(ZFOLDER = 1 + Z_PK % 5), sum(ZLOUD = 'NOTE ' || Z_PK) FROM ZNOTE"
      ) == [[30_000, 30_000, 30_000, 30_000]]
    )
  }

  // MARK: Objects of several entities

  /// A program that makes a tag and the object of each P, and answers for tags and others in createRelationships.
  private func tags(_ rows: Int, creating: String, relating: String) throws -> [String] {
    let p =
      #"<entity name="P"><attribute name="name" optional="YES" attributeType="String"/>"#
      + #"<relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag" inverseName="p"/></entity>"#
    let tag =
      #"<entity name="Tag"><relationship name="p" optional="YES" maxCount="1" destinationEntity="P" inverseName="tags"/>"#
      + "</entity>"
    let other =
      #"<entity name="Other"><attribute name="n" optional="YES" attributeType="String"/></entity>"#
    for (version, entities) in [("v3", p + tag), ("v4", p + tag + other)] {
      try write(
        "\(version).xcdatamodel/contents",
        "<?xml version=\"1.0\"?>\n<model type=\"com.apple.IDECoreDataModeler.DataModel\">\(entities)</model>"
      )
    }
    try write(
      "all.json",
      """
      {"bulkmigrate": "mapping/1", "source": {"store": "Ps.sqlite", "model": "v3.xcdatamodel"},
       "destination": {"store": "New.sqlite", "model": "v4.xcdatamodel"}, "infer": "none",
       "entityMappings": [{"source": "P", "destination": "P", "policy": "SplitName", "attributes": {"name": "$source.name"}}]}
      """
    )
    try write(
      "tags.py",
      """
      import json, sys
      def create(key):
          return \(creating)
      def relate(made, key):
          return \(relating)
      for line in sys.stdin:
          request = json.loads(line)
          answer = {"id": request["id"]}
          if request["hook"] == "start":
              answer |= {"bulkmigrate": "policy/1", "hooks": ["createDestinationInstances", "createRelationships"]}
          elif request["hook"] == "createDestinationInstances":
              answer["objects"] = [create(*row) for row in request["rows"]]
          else:
              answer["objects"] = [relate(*row) for row in request["rows"]]
          print(json.dumps(answer), flush=True)
      """
    )
    let made = try run([
      "fixture", "-q", "--model", "v3.xcdatamodel", "--rows", "P=\(rows)", "--output", "Ps.sqlite",
    ])
    try #require(made.status == 0, "\(made.errors)")
    try plan("tags.py")
    return ["run", "-q", "--max-loss", "all", "--batch-size", "1000"] + policy("tags.py")
  }

  @Test(arguments: [nil, "commit:5", "commit:20", "commit:33"])
  func `objects of several entities are told apart, after a kill too`(step: String?) throws {
    let words = try tags(
      30_000,
      creating: #"[{"entity": "Tag"}, {}] if key % 3 else {}"#,
      relating:
        #"{"to": {"p": {"entity": "P", "key": key}}} if isinstance(made, dict) and made["entity"] == "Tag" else None"#
    )
    if let step {
      #expect(try run(words, environment: ["BULKMIGRATE_FAILPOINT": step]).status != 0)
    }
    let done = try run(step == nil ? words : ["resume", "-q"] + policy("tags.py"))
    #expect(done.status == 0, "\(done.errors)")
    // The 20,000 keys that 3 does not divide: 1, 2, 4, …, 29,999.
    #expect(
      try StoreFile(directory.path("New.sqlite")).rows(
        "SELECT count(*), max(Z_PK), sum(ZP = (3 * Z_PK - 1) / 2), (SELECT count(*) FROM ZP) FROM ZTAG"
      ) == [[20_000, 20_000, 20_000, 30_000]]
    )
    #expect(try run(["verify", "--level", "full"] + policy("tags.py")).status == 0)
  }

  static let unacceptable: [(creating: String, relating: String, message: String)] = [
    (
      #"{"entity": "Tag", "to": {"p": {"entity": "Other", "key": 1}}}"#, "None",
      "createDestinationInstances, P 1: line 2 of its program's output: relationship p of Tag 1: Other 1 is not an object of P"
    ),
    (
      #"[{}, {"entity": "Tag", "to": {"p": {"entity": "P", "key": key + 5000}}}]"#, "None",
      "createDestinationInstances, P 1: line 2 of its program's output: relationship p of Tag 1: P 5001 does not exist"
    ),
    (
      #"[{}, {"entity": "Tag", "to": {"p": {"entity": "Other", "find": {"n": "x"}}}}]"#, "None",
      "createDestinationInstances, P 1: line 2 of its program's output: relationship p of Tag 1: Other 1 is not an object of P"
    ),
    (
      "{}", #"{"to": {"tags": [{"entity": "P", "key": key}]}}"#,
      "createRelationships, P 1: line 3 of its program's output: relationship tags of P 1: P 1 is not an object of Tag"
    ),
    (
      #"{"entity": "Tag"}"#, #"{"to": {"tags": []}}"#,
      "createRelationships, Tag 1: line 3 of its program's output: entity Tag has no stored relationship tags"
    ),
    (
      #"[{}, {"entity": "Tag"}]"#,
      #"{"to": {"p": [{"entity": "P", "key": 1}, {"entity": "P", "key": 2}]}} if key == 1 and made != 1 else None"#,
      "key 1, from P 1: P 1 and P 2"
    ),
  ]

  @Test(arguments: Self.unacceptable.indices)
  func `an object that a relationship does not accept is refused, with its line`(index: Int) throws
  {
    let (creating, relating, message) = Self.unacceptable[index]
    let done = try run(tags(3, creating: creating, relating: relating))
    #expect(done.status == 65)
    #expect(done.errors.contains(message), "\(done.errors)")
    #expect(!FileManager.default.fileExists(atPath: directory.path("New.sqlite")))
  }

  @Test func `the state keeps no command of a policy`() throws {
    try fixture(30_000)
    try plan("split.py")
    let killed = try run(
      ["run", "-q", "--max-loss", "all", "--batch-size", "1000"] + policy("split.py"),
      environment: ["BULKMIGRATE_FAILPOINT": "commit:4"]
    )
    #expect(killed.status != 0)
    let state = directory.path("New.sqlite.bulkmigrate")
    let names = try FileManager.default.contentsOfDirectory(atPath: state)
    #expect(names.contains("checkpoint-4"))
    for name in names {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: state + "/" + name))
      #expect(bytes.range(of: Data("split.py".utf8)) == nil, "\(name)")
    }
  }

  @Test func `large values stand in files, and memory stays within the limit`() throws {
    try fixture(3)
    try StoreFile(directory.path("People.sqlite"))
      .execute("UPDATE ZPERSON SET ZNAME = 'Ann ' || hex(zeroblob(20000000))")
    try write(
      "large.py",
      Self.loop(
        #"[{"set": {"first": open(row[1]["file"]).read(3), "age": row[1]["bytes"] % 1000}} for row in rows]"#
      )
    )
    let planned = try run(["plan", "--json", "--mapping", "all.json"] + policy("large.py"))
    let plan = try #require(
      try JSONSerialization.jsonObject(with: Data(planned.output.utf8)) as? [String: Any]
    )
    let memory = try #require(plan["memory"] as? [String: Any])
    let least = try #require(memory["smallestLimitBytes"] as? Int)
    let run = try run(
      ["run", "--json", "--max-loss", "all", "--max-memory", "\(least)B"] + policy("large.py")
    )
    #expect(run.status == 0, "\(run.errors)")
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    )
    #expect(try #require(report["peakMemoryBytes"] as? Int) <= least, "\(run.output)")
    #expect(
      try StoreFile(directory.path("New.sqlite")).rows("SELECT ZFIRST, ZAGE FROM ZPERSON")
        == [["Ann", 4], ["Ann", 4], ["Ann", 4]]
    )
  }

  // MARK: Programs that misbehave

  static let misbehaviour: [(name: String, body: String, message: String)] = [
    ("ends at once", "sys.exit(0)", "its program ended early, with 0"),
    ("ends with a code", "sys.exit(3)", "its program ended early, with 3"),
    ("is killed", "os.kill(os.getpid(), 9)", "its program ended early, by signal 9"),
    (
      "ends after the start", "start(); read(); sys.exit(0)",
      "its program ended early, with 0, line 1 of its output"
    ),
    (
      "closes its output and stays", "os.close(1); stand()",
      "its program closes its output and goes on"
    ),
    (
      "closes all and stays", "os.close(1); os.close(2); stand()",
      "its program ended early, by signal 9"
    ),
    (
      "complains without end", "start(); read()\nwhile True: sys.stderr.write('no idea\\n')",
      "bulkmigrate:   no idea\nbulkmigrate:   no idea"
    ),
    ("closes its input and ends", "start(); os.close(0); sys.exit(0)", "its program ended early"),
    ("says nothing", "stand()", "its program says nothing for 1.0s"),
    (
      "says nothing to rows", "start(); stand()",
      "for Person 1 to 3: its program says nothing for 1.0s"
    ),
    (
      "says half a line",
      "start(); read(); sys.stdout.write('{\"id\":'); sys.stdout.flush(); stand()",
      "says nothing for 1.0s"
    ),
    (
      "writes garbage", "start(); read(); say('hello')",
      "for Person 1 to 3: line 2 of its program's output: it is no JSON, column 1"
    ),
    (
      "writes bytes that are no text",
      "start(); read(); sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush(); stand()",
      "it is no JSON"
    ),
    ("answers an array", "start(); read(); say('[]')", "it is an array, not an object"),
    ("answers too little", "start(); answer({'objects': [None]})", "it has 1 objects for 3 rows"),
    ("answers too much", "start(); answer({'objects': [None] * 4})", "it has 4 objects for 3 rows"),
    ("answers no list", "start(); answer({'objects': 3})", "it has no list \"objects\""),
    ("answers nothing", "start(); answer({})", "it has no list \"objects\""),
    (
      "answers another request", "start(); read(); say('{\"id\": 1, \"objects\": []}')",
      "its \"id\" is 1, where the request has"
    ),
    (
      "answers without a number", "start(); read(); say('{\"objects\": []}')",
      "its \"id\" is missing"
    ),
    (
      "answers with an unknown member", "start(); answer({'objekts': []})",
      "it has a member \"objekts\", which means nothing"
    ),
    (
      "writes two lines", "start(); read(); say('{}\\n{}')",
      "its program answers with more than a line"
    ),
    (
      "writes without being asked", "say('{}'); read(); stand()",
      "its program answers before it has read the request|its \"id\" is missing|with more than a line"
    ),
    (
      "writes without end", "start(); read()\nwhile True: sys.stdout.write('x' * 65536)",
      "its program answers with more than"
    ),
    (
      "writes to its standard error",
      "start(); sys.stderr.write('no idea\\n'); sys.stderr.flush(); stand()",
      "bulkmigrate:   no idea"
    ),
    ("raises", "start(); read(); raise ValueError('no name')", "ValueError: no name"),
    (
      "speaks another version", "read(); say('{\"id\": 1, \"bulkmigrate\": \"policy/2\"}')",
      "it speaks no policy/1"
    ),
    (
      "has a hook that there is not",
      "read(); say('{\"id\": 1, \"bulkmigrate\": \"policy/1\", \"hooks\": [\"creates\"]}')",
      "it names an unknown hook \"creates\""
    ),
    ("asks for a value that there is not", "start(values=['nome'])\nstand()", "nome"),
    (
      "sets an attribute that there is not",
      "start(); answer({'objects': [{'set': {'frist': 'x'}}, None, None]})",
      "Person 1: line 2 of its program's output: entity Person has no attribute frist; did you mean first?"
    ),
    (
      "sets a text where a number is",
      "start(); answer({'objects': [None, {'set': {'age': 'x'}}, None]})",
      "Person 2: line 2 of its program's output: attribute age of Person: \"x\" is not of type Integer 16"
    ),
    (
      "sets a number that is too large",
      "start(); answer({'objects': [None, {'set': {'age': 40000}}, None]})",
      "Person 2: line 2 of its program's output: attribute age of Person: 40000 is not of type Integer 16"
    ),
    (
      "makes an entity that there is not",
      "start(); answer({'objects': [{'entity': 'Persom'}, None, None]})",
      "the destination has no entity Persom; did you mean Person?"
    ),
    (
      "answers a number for an object", "start(); answer({'objects': [7, None, None]})",
      "its answer is a number, not null, true, false"
    ),
    (
      "rejects after it has made one",
      "start(); answer({'objects': [[{'set': {}}, {'reject': 'no'}], None, None]})",
      "it rejects the object after it has inserted one"
    ),
    (
      "finds without an entity",
      "start(); answer({'objects': [{'find': {'first': 'x'}}, None, None]})", "has an \"entity\""
    ),
  ]

  @Test(arguments: Self.misbehaviour.map(\.name))
  func `a program that misbehaves ends the run, and leaves nothing`(name: String) throws {
    let kind = try #require(Self.misbehaviour.first { $0.name == name })
    try fixture(3)
    try plan("split.py")
    try write(
      "bad.py",
      """
      import json, os, signal, sys
      open("number", "w").write(str(os.getpid()))
      def say(text):
          print(text, flush=True)
      def stand():
          signal.pause()
      def read():
          return json.loads(sys.stdin.readline())
      def start(values=["name"]):
          say(json.dumps({"id": read()["id"], "bulkmigrate": "policy/1", "hooks": ["createDestinationInstances"], "values": values}))
      def answer(members):
          say(json.dumps({"id": read()["id"], **members}))
      \(kind.body)
      stand()
      """
    )
    let run = try run(
      ["run", "-q", "--max-loss", "all", "--policy-timeout", "1s"] + policy("bad.py")
    )
    #expect(run.status == 65, "\(run.errors)")
    #expect(run.errors.contains("entity mapping PersonToPerson, policy SplitName"), "\(run.errors)")
    // Where two things happen at once, either is told.
    let messages = kind.message.split(separator: "|")
    #expect(messages.contains { run.errors.contains($0) }, "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: directory.path("New.sqlite")))
    let number = try String(contentsOfFile: directory.path("number"), encoding: .utf8)
    #expect(kill(try #require(Int32(number)), 0) != 0, "it still runs")
  }

  @Test func `a program that cannot be started is told`() throws {
    try fixture(3)
    try plan("split.py")
    let run = try run([
      "run", "-q", "--max-loss", "all", "--policy", "SplitName=./no-such-program --fast",
    ])
    #expect(run.status == 65)
    #expect(
      run.errors.contains("./no-such-program cannot be started: No such file or directory"),
      "\(run.errors)"
    )
  }

  @Test func `a program ends with the migration that is killed`() throws {
    try fixture(3)
    try plan("split.py")
    #expect(mkfifo(directory.path("alive"), 0o600) == 0)
    try write(
      "stuck.py",
      """
      import os, signal
      os.open("alive", os.O_RDWR)
      os.kill(os.getppid(), signal.SIGKILL)
      signal.pause()
      """
    )
    let run = try run(["run", "-q", "--max-loss", "all"] + policy("stuck.py"))
    #expect(run.status != 0)
    // The program holds the pipe open as long as it lives.
    let descriptor = open(directory.path("alive"), O_RDONLY | O_NONBLOCK)
    defer { close(descriptor) }
    var byte: UInt8 = 0
    if read(descriptor, &byte, 1) != 0 {
      var request = pollfd(fd: descriptor, events: 0, revents: 0)
      #expect(poll(&request, 1, 20_000) == 1, "it still runs")
    }
  }
}

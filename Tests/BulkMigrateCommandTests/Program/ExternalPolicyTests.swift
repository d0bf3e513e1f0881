import BulkTestSupport
import Testing

/// Policies that are programs of another language.
@Suite(
  "Policies in any language",
  .tags(.promise9),
  .enabled(if: Program.path != nil && Python.isPresent, "needs the built program and python3")
)
struct ExternalPolicyTests {
  private let program: Program
  private var new: StoreFile { program.migrated }

  init() throws { program = try Program() }

  /// Writes models, a mapping and a store whose tables have as many rows, of which each has one value.
  private func prepare(
    _ source: ManagedObjectModel,
    _ destination: ManagedObjectModel,
    by mappings: String,
    rows: [(entity: String, count: Int, column: String, value: String)]
  ) throws {
    try program.write(source, to: "v1.mom")
    try program.write(destination, to: "v2.mom")
    try program.write(
      """
      {"bulkmigrate": "mapping/1", "source": {"store": "Old.sqlite", "model": "v1.mom"},
       "destination": {"store": "New.sqlite", "model": "v2.mom"}, "infer": "none",
       "entityMappings": [\(mappings)]}
      """,
      to: "all.json"
    )
    var store = TestStore(source)
    for (entity, count, column, value) in rows {
      store.highestKeys[entity] = Int64(count)
      store.sql.append(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        INSERT INTO Z\(entity.uppercased()) (Z_PK, Z_ENT, Z_OPT, \(column))
        SELECT i, \(store.schema.numbering.number(of: entity)), 1, \(value) FROM n
        """
      )
    }
    _ = try store.write(to: program.directory.path("Old.sqlite"))
  }

  /// People whose names are split by a policy, and their plan.
  private func preparePeople(
    _ count: Int,
    name: String = "'Ann ' || printf('%05d', i)",
    by script: String = "split.py"
  ) throws {
    try prepare(
      .of(EntityDescription("Person", [.optional("name")])),
      .of(.init("Person", [.optional("first"), .optional("last"), .optional("age", .integer16)])),
      by:
        #"{"source": "Person", "destination": "Person", "policy": "SplitName", "attributes": {}}"#,
      rows: [("Person", count, "ZNAME", name)]
    )
    try write("split.py", Self.splitting)
    try plan(script)
  }

  private static let splitting =
    #"[{"set": {"first": row[1].split()[0], "last": row[1].split()[-1]}} for row in rows]"#

  /// Writes a program with an expression that answers for rows.
  private func write(_ name: String, _ objects: String) throws {
    try program.write(
      """
      import json, os, sys
      for line in sys.stdin:
          request = json.loads(line)
          answer = {"id": request["id"]}
          if request["hook"] == "start":
              answer |= {"bulkmigrate": "policy/1", "hooks": ["createDestinationInstances"], "values": ["name"]}
          else:
              rows = request.get("rows", [])
              answer["objects"] = \(objects)
          print(json.dumps(answer), flush=True)
      """,
      to: name
    )
  }

  private func policy(_ script: String) -> [String] { ["--policy", "SplitName=python3 \(script)"] }

  private func plan(_ script: String) throws {
    try program(["plan", "-q", "--mapping", "all.json"] + policy(script), ending: 0)
  }

  /// Runs a command in batches of 100 rows, until a failpoint if one is named.
  private func run(
    _ words: String...,
    by script: String,
    killedAt failpoint: String? = nil,
    timeout: String? = nil
  ) throws -> ProcessRun {
    var environment = ["BULKMIGRATE_BATCH_ROWS": "100", "BULKMIGRATE_MAX_LOSS": "all"]
    environment["BULKMIGRATE_POLICY_TIMEOUT"] = timeout
    environment["BULKMIGRATE_FAILPOINT"] = failpoint
    let run = try program(words + ["-q"] + policy(script), environment: environment)
    #expect((run.status == -9) == (failpoint != nil), "\(words): \(run.status) \(run.errors)")
    return run
  }

  private func refuse(_ run: ProcessRun, _ message: String) throws {
    #expect(run.status == 65)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(try program.directory.bytes()["New.sqlite"] == nil)
  }

  // MARK: What it does

  @Test func `a program makes the objects, and verify and a fleet make the same`() throws {
    try preparePeople(1_200)
    #expect(try run("run", by: "split.py").status == 0)
    #expect(
      try new.rows("SELECT Z_PK, ZFIRST, ZLAST FROM ZPERSON WHERE Z_PK IN (1, 501, 1200)") == [
        [1, "Ann", "00001"], [501, "Ann", "00501"], [1200, "Ann", "01200"],
      ]
    )
    #expect(try run("verify", "--level", "full", by: "split.py").status == 0)
    try program.write(
      """
      {"id": "a", "source": "Old.sqlite", "destination": "a.sqlite"}
      {"id": "b", "source": "Old.sqlite", "destination": "b.sqlite"}
      """,
      to: "stores.jsonl"
    )
    let planning =
      "fleet plan -q --manifest stores.jsonl --models . --mappings . --to v2 --max-loss all".words
    try program(planning + policy("split.py"), ending: 0)
    try program(["fleet", "run", "-q"] + policy("split.py"), ending: 0)
    let files = try program.directory.bytes()
    for name in ["a.sqlite", "b.sqlite"] { #expect(files[name] == files["New.sqlite"]) }
  }

  @Test func `the options of a command name a program, and nothing else does`() throws {
    try preparePeople(2)
    let absent = try program(
      ["run", "-q"],
      environment: ["BULKMIGRATE_POLICY": "SplitName=python3 split.py"]
    ).ending(64)
    #expect(absent.errors.contains("BULKMIGRATE_POLICY cannot set it"), "\(absent.errors)")
    #expect(try program.directory.bytes()["New.sqlite"] == nil)
  }

  @Test
  func `an object is rejected with the program's reason, or made several times, or not at all`()
    throws
  {
    try write(
      "several.py",
      #"[{"reject": "it is the first"} if row[0] == 1 else [] if row[0] == 2 else False if row[0] == 3 else [{"set": {"age": 1}}, {"set": {"age": 2}}] for row in rows]"#
    )
    try preparePeople(4, by: "several.py")
    #expect(try run("run", "--on-error", "quarantine", by: "several.py").status == 3)
    #expect(try new.rows("SELECT ZAGE FROM ZPERSON ORDER BY Z_PK") == [[1], [2]])
    let rejects = try program("rejects", "show", "Person")
    #expect(rejects.output.contains("it is the first"), "\(rejects.output)")
  }

  @Test func `a run that is killed goes on by the same program, which its state does not name`()
    throws
  {
    try preparePeople(3_000)
    _ = try run("run", by: "split.py")
    let undisturbed = try Files.read(new.path)
    try FileManager.default.removeItem(atPath: new.path)
    for step in ["commit:2", "commit:4"] {
      _ = try run("run", "--resume-if-started", by: "split.py", killedAt: step)
    }
    let state = try program.directory.bytes().filter { $0.key.hasPrefix("New.sqlite.bulkmigrate/") }
    #expect(state.keys.contains { $0.contains("/checkpoint-") })
    for (name, bytes) in state {
      #expect(bytes.range(of: Data("split.py".utf8)) == nil, "\(name)")
    }
    #expect(try run("resume", by: "split.py").status == 0)
    #expect(try Files.read(new.path) == undisturbed)
    try FileManager.default.removeItem(atPath: new.path)
    _ = try run("run", by: "split.py", killedAt: "commit:4")
    try write("split.py", "[None for row in rows]")
    try refuse(
      run("resume", by: "split.py"),
      "the program of policy SplitName is not that of the interrupted run"
    )
  }

  /// Of each note that 3 does not divide a tag is made too, before it.
  @Test func `hooks, functions, objects of several entities and userInfo survive kills`() throws {
    func model(_ made: AttributeDescription...) throws -> ManagedObjectModel {
      try .of(
        .init("Folder", [.optional("name")], [.toMany("notes", "Note.folder")]),
        .init(
          "Note",
          [.optional("title")] + made,
          [.toOne("folder", "Folder.notes"), .toMany("tags", "Tag.note")]
        ),
        .init("Tag", [], [.toOne("note", "Note.tags")])
      )
    }
    try prepare(
      model(),
      model(.optional("n", .integer64), .optional("loud")),
      by: #"""
        {"source": "Folder", "destination": "Folder", "attributes": {"name": "$source.name"}},
        {"source": "Note", "destination": "Note", "policy": "SplitName", "attributes":
          {"title": "$source.title", "loud": "FUNCTION($entityPolicy, \"shout:\", $source.title)"}}
        """#,
      rows: [("Note", 600, "ZTITLE", "'note ' || i"), ("Folder", 5, "ZNAME", "NULL")]
    )
    let text = """
      import json, sys
      HOOKS = ["begin", "createDestinationInstances", "createRelationships"]
      def create(key, base):
          note = {"set": {"n": base + key}}
          return [{"entity": "Tag"}, note] if key % 3 else note
      def relate(made, key):
          if isinstance(made, dict) and made["entity"] == "Tag":
              return {"to": {"note": {"entity": "Note", "key": key}}}
          return {"to": {"folder": [{"mapping": "FolderToFolder", "sources": [1 + key % 5]}]}}
      def answer(request):
          hook, rows = request["hook"], request.get("rows")
          if hook == "start":
              return {"bulkmigrate": "policy/1", "hooks": HOOKS, "functions": ["shout:"]}
          if hook == "begin":
              return {"userInfo": {"base": 7}}
          if hook == "function":
              return {"value": request["arguments"][0].upper()}
          if hook == "createDestinationInstances":
              return {"objects": [create(row[0], request["userInfo"]["base"]) for row in rows]}
          return {"objects": [relate(*row) for row in rows]}
      for line in sys.stdin:
          request = json.loads(line)
          print(json.dumps({"id": request["id"], **answer(request)}), flush=True)
      """
    try program.write(text, to: "notes.py")
    try plan("notes.py")
    // A tag where a folder belongs, and a wrong answer of a function.
    for (right, wrong, message) in [
      ("\"value\"", "\"valeu\"", "program's output: it has a member \"valeu\", "),
      (
        "{\"mapping\": \"FolderToFolder\", \"sources\": [1 + key % 5]}",
        "{\"entity\": \"Tag\", \"key\": 1}",
        "program's output: relationship folder of Note 1: Tag 1 is not an object of Folder"
      ),
    ] {
      try program.write(text.replacing(right, with: wrong), to: "wrong.py")
      try refuse(run("run", "--restart", by: "wrong.py"), message)
    }
    for step in [2, 5, 7, 10] {
      _ = try run("run", "--restart", by: "notes.py", killedAt: "commit:\(step)")
      #expect(try run("resume", by: "notes.py").status == 0)
      #expect(
        try new.rows(
          """
          SELECT count(*), sum(ZN = 7 + Z_PK), sum(ZFOLDER = 1 + Z_PK % 5),
          sum(ZLOUD = 'NOTE ' || Z_PK) FROM ZNOTE
          """
        ) == [[600, 600, 600, 600]]
      )
      // The 400 keys that 3 does not divide: 1, 2, 4, …, 599.
      #expect(
        try new.rows("SELECT count(*), max(Z_PK), sum(ZNOTE = (3 * Z_PK - 1) / 2) FROM ZTAG")
          == [[400, 400, 400]]
      )
      #expect(try run("verify", "--level", "full", by: "notes.py").status == 0)
      program.remove("New.sqlite")
    }
  }

  @Test func `a large value is sent in pieces, and memory stays within the limit`() throws {
    try write(
      "large.py",
      #"[{"set": {"first": row[1][:3], "age": len(row[1]) % 1000}} for row in rows]"#
    )
    try preparePeople(3, name: "'Ann ' || hex(zeroblob(20000000))", by: "large.py")
    let plan = try program(["plan", "--json", "--mapping", "all.json"] + policy("large.py"))
    let least = try plan.number("memory", "smallestLimitBytes")
    let run = try run("run", "--json", "--max-memory", "\(least)B", by: "large.py").ending(0)
    #expect(try run.number("peakMemoryBytes") <= least, "\(run.output)")
    #expect(
      try new.rows("SELECT ZFIRST, ZAGE FROM ZPERSON") == [["Ann", 4], ["Ann", 4], ["Ann", 4]]
    )
  }

  /// U+0301 joins the character before it, U+0600 the one behind it; a piece has 49,152 bytes.
  @Test func `a text keeps the marks at its ends and at those of its pieces`() throws {
    try write("marks.py", #"[{"set": {"first": row[1]}} for row in rows]"#)
    let name = """
      CASE i WHEN 1 THEN char(769) || 'abc' WHEN 2 THEN hex(zeroblob(24576)) || char(769)
      ELSE 'x' || char(1536) END
      """
    try preparePeople(3, name: name, by: "marks.py")
    #expect(try run("run", by: "marks.py").status == 0)
    #expect(
      try new.rows(
        "SELECT length(ZFIRST), unicode(ZFIRST), unicode(substr(ZFIRST, -1)) FROM ZPERSON"
      )
        == [[4, 769, 99], [49_153, 48, 769], [2, 120, 1_536]]
    )
  }

  // MARK: Programs that misbehave

  /// What a program does, and what is reported.
  private static let misbehaviour = #"""
    sys.exit(0) -> its program ended early, with 0
    sys.exit(3) -> its program ended early, with 3
    os.kill(os.getpid(), 9) -> its program ended early, by signal 9
    start(); read(); sys.exit(0) -> its program ended early, with 0, line 1 of its output
    start(); os.close(0); sys.exit(0) -> its program ended early
    os.close(1); stand() -> its program closes its output and goes on
    os.close(1); os.close(2); stand() -> its program ended early, by signal 9
    stand() -> its program says nothing for 1.0s
    start(); stand() -> for Person 1 to 3: its program says nothing for 1.0s
    start(); read(); sys.stdout.write('{"id":'); sys.stdout.flush(); stand() -> says nothing for 1.0s
    start(); read(); say('hello') -> for Person 1 to 3: line 2 of its program's output: it is not JSON, column 1
    start(); read(); sys.stdout.buffer.write(b'\xff\xfe\n'); sys.stdout.flush(); stand() -> it is not JSON
    start(); read(); say('[]') -> it is an array, not an object
    start(); answer({'objects': [None]}) -> it has 1 objects for 3 rows
    start(); answer({'objects': [None] * 4}) -> it has 4 objects for 3 rows
    start(); answer({'objects': 3}) -> it has no list "objects"
    start(); answer({}) -> it has no list "objects"
    start(); read(); say('{"id": 1, "objects": []}') -> its "id" is 1, where the request has
    start(); read(); say('{"objects": []}') -> its "id" is missing
    start(); answer({'objekts': []}) -> it has a member "objekts", which means nothing
    start(); read(); say('{}\n{}') -> its program answers with more than a line
    say('{}'); read(); stand() -> its program answers before it has read the request|its "id" is missing|with more than a line
    start(); read(); repeat(sys.stdout, 'x' * 65536) -> its program answers with more than
    start(); read(); repeat(sys.stderr, 'no idea\n') -> bulkmigrate:   no idea
    start(); sys.stderr.write('no idea\n'); sys.stderr.flush(); stand() -> bulkmigrate:   no idea
    start(); read(); raise ValueError('no name') -> ValueError: no name
    read(); say('{"id": 1, "bulkmigrate": "policy/2"}') -> it speaks no policy/1
    read(); say('{"id": 1, "bulkmigrate": "policy/1", "hooks": ["creates"]}') -> it names an unknown hook "creates"
    start(values=['nome']); stand() -> nome
    start(); answer({'objects': [{'set': {'frist': 'x'}}, None, None]}) -> Person 1: line 2 of its program's output: entity Person has no attribute frist; did you mean first?
    start(); answer({'objects': [None, {'set': {'age': 'x'}}, None]}) -> Person 2: line 2 of its program's output: attribute age of Person: "x" is not of type Integer 16
    start(); answer({'objects': [None, {'set': {'age': 40000}}, None]}) -> attribute age of Person: 40000 is not of type Integer 16
    start(); answer({'objects': [{'entity': 'Persom'}, None, None]}) -> the destination has no entity Persom; did you mean Person?
    start(); answer({'objects': [7, None, None]}) -> its answer is a number, not null, true, false
    start(); answer({'objects': [[{'set': {}}, {'reject': 'no'}], None, None]}) -> it rejects the object after it has inserted one
    start(); answer({'objects': [{'find': {'first': 'x'}}, None, None]}) -> has an "entity"
    """#

  @Test func `a program that misbehaves ends the run, and leaves nothing`() throws {
    try preparePeople(3)
    for line in Self.misbehaviour.split(separator: "\n") {
      let parts = line.components(separatedBy: " -> ")
      try program.write(
        """
        import json, os, signal, sys
        open("number", "w").write(str(os.getpid()))
        def say(text):
            print(text, flush=True)
        def stand():
            signal.pause()
        def repeat(file, text):
            while True: file.write(text)
        def read():
            return json.loads(sys.stdin.readline())
        def start(values=["name"]):
            say(json.dumps({"id": read()["id"], "bulkmigrate": "policy/1", "hooks": ["createDestinationInstances"], "values": values}))
        def answer(members):
            say(json.dumps({"id": read()["id"], **members}))
        \(parts[0])
        stand()
        """,
        to: "bad.py"
      )
      let run = try run("run", by: "bad.py", timeout: "1s")
      try refuse(run, "entity mapping PersonToPerson, policy SplitName")
      // Where two things happen at once, either is told.
      let messages = parts[1].split(separator: "|")
      #expect(messages.contains { run.errors.contains($0) }, "\(line): \(run.errors)")
      let number = try #require(try program.directory.bytes()["number"])
      let process = try #require(Int32(String(decoding: number, as: UTF8.self)))
      #expect(kill(process, 0) != 0, "\(line): it still runs")
    }
    let absent = try program(
      "run",
      "--max-loss",
      "all",
      "--policy",
      "SplitName=./no-such-program --fast"
    )
    try refuse(absent, "./no-such-program cannot be started: No such file or directory")
  }

  @Test(
    arguments: ["signal.pause()", "sys.stdout.write('{'); sys.stdout.flush(); signal.pause()"]
  )
  func `a request to stop is answered while a program hangs, also in the midst of an answer`(
    hanging: String
  ) throws {
    try preparePeople(3)
    try program.write(
      """
      import json, os, signal, sys
      for line in sys.stdin:
          request = json.loads(line)
          answer = {"id": request["id"]}
          if request["hook"] == "start":
              answer |= {"bulkmigrate": "policy/1", "hooks": ["createDestinationInstances"]}
          elif not os.path.exists("hung"):
              open("hung", "w").close()
              os.kill(os.getppid(), signal.SIGTERM)
              \(hanging)
          else:
              answer["objects"] = [None] * len(request["rows"])
          print(json.dumps(answer), flush=True)
      """,
      to: "stuck.py"
    )
    #expect(try run("run", by: "stuck.py").status == 143)
    // Nothing was done that could be resumed.
    #expect(try run("run", by: "stuck.py").status == 0)
  }

  @Test func `a program ends with the migration that is killed`() throws {
    try preparePeople(3)
    #expect(mkfifo(program.directory.path("alive"), 0o600) == 0)
    try program.write(
      """
      import os, signal
      os.open("alive", os.O_RDWR)
      os.kill(os.getppid(), signal.SIGKILL)
      signal.pause()
      """,
      to: "stuck.py"
    )
    let run = try program(["run", "-q", "--max-loss", "all"] + policy("stuck.py"))
    #expect(run.status != 0)
    // The program holds the pipe open as long as it lives.
    let descriptor = open(program.directory.path("alive"), O_RDONLY | O_NONBLOCK)
    defer { close(descriptor) }
    var byte: UInt8 = 0
    if read(descriptor, &byte, 1) != 0 {
      var request = pollfd(fd: descriptor, events: 0, revents: 0)
      #expect(poll(&request, 1, 20_000) == 1, "it still runs")
    }
  }
}

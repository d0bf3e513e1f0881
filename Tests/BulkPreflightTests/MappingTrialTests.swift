import BulkMigrate
import BulkTestSupport
import Synchronization
import Testing

struct MappingTrialTests {
  /// The share of the first of two entity mappings is over at some call of the clock, perhaps while its filter is
  /// evaluated; the second one has the rest of the time.
  @Test(arguments: 3...16)
  func `a mapping whose time is over leaves the others theirs`(call: Int) throws {
    let directory = TemporaryDirectory()
    let model = try ManagedObjectModel.of(
      EntityDescription("Folder", [.optional("name")]),
      EntityDescription("Note", [.optional("title")])
    )
    var store = TestStore(model, TestObject("Folder", 1, ["name": .string("one")]))
    store.objects += (1...50).map { TestObject("Note", $0, ["title": .string("two")]) }
    _ = try store.write(to: directory.path("Notes.sqlite"))
    try TestStore.write(model, to: directory.path("v2.mom"))
    let mapping = """
      { "bulkmigrate": "mapping/1", "entityMappings": [
        { "source": "Note", "destination": "Note", "filter": "title MATCHES 'x.*'" },
        { "source": "Folder", "destination": "Folder" } ] }
      """
    let file = directory.path("all.json")
    try mapping.write(toFile: file, atomically: false, encoding: .utf8)
    var trial = MappingTrial(file)
    trial.store = directory.path("Notes.sqlite")
    trial.destinationModel = directory.path("v2.mom")
    trial.choice.time = .seconds(4)

    var host = SystemHost()
    let (start, calls) = (ContinuousClock.now, CallCount())
    host.instant = { calls.next() < call ? start : start + .seconds(3) }
    let report = try SystemHost.$current.withValue(host) { [trial] in try trial.run() }

    #expect(report.entityMappings.map { $0.objects.count } == [0, 1])
    #expect(report.entityMappings.last?.course?.end == .all)
  }

  @Test(
    arguments: [
      (#"{ "mapping": "Nope" }"#, "there is no entity mapping Nope"),
      (
        #""FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'FolderToFolder', $source.foldr)""#,
        "entity Note has no property foldr; did you mean folder?"
      ), (#"{ "mapping": "FolderToFolder" }"#, nil),
    ] as [(String, String?)]
  )
  func `a relationship that cannot be filled is told beside its objects`(
    value: String,
    fault: String?
  ) throws {
    let directory = TemporaryDirectory()
    let model = try ManagedObjectModel.of(
      EntityDescription("Folder", [.optional("name")], [.toMany("notes", "Note.folder")]),
      EntityDescription("Note", [.optional("title")], [.toOne("folder", "Folder.notes")])
    )
    _ = try TestStore(model, TestObject("Note", 1, ["title": .string("one")]))
      .write(to: directory.path("Notes.sqlite"))
    try TestStore.write(model, to: directory.path("v2.mom"))
    let mapping = """
      { "bulkmigrate": "mapping/1", "entityMappings": [
        { "source": "Note", "destination": "Note", "relationships": { "folder": \(value) } },
        { "source": "Folder", "destination": "Folder" } ] }
      """
    let file = directory.path("all.json")
    try mapping.write(toFile: file, atomically: false, encoding: .utf8)
    var trial = MappingTrial(file)
    trial.store = directory.path("Notes.sqlite")
    trial.destinationModel = directory.path("v2.mom")
    let object = try #require(try trial.run().entityMappings.first?.objects.first)
    let folder = try #require(object.values.first { $0.name == "folder" })
    #expect(folder.error?.reason == fault)
  }
}

/// Counts calls from 1.
private final class CallCount: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock {
      $0 += 1
      return $0
    }
  }
}

struct TrialTests {
  @Test(
    arguments: [
      (.zero, 9, nil, .time, 0), (.seconds(60), 9, nil, .all, 2),
      (.seconds(60), 1, "title != nil", .rows, 0), (.seconds(60), 1, nil, .all, 2),
    ] as [(Duration, Int64, String?, SampleEnd, Int)]
  )
  func `objects are looked for until the time is over, and by a predicate in as many rows`(
    time: Duration,
    rows: Int64,
    predicate: String?,
    end: SampleEnd,
    count: Int
  ) throws {
    let directory = TemporaryDirectory()
    let path = directory.path("Notes.sqlite")
    let store = TestStore(
      try .of(EntityDescription("Note", [.optional("title")])),
      TestObject("Note", 1),
      TestObject("Note", 2)
    )
    _ = try store.write(to: path)
    var trial = ExpressionTrial(try ValueExpression(format: "title"), of: "Note", in: path)
    trial.choice.time = time
    trial.choice.rows = rows
    trial.choice.predicate = try predicate.map { try ValuePredicate(format: $0) }
    let report = try trial.run()
    #expect(report.course.end == end)
    #expect(report.objects.count == count)
  }
}

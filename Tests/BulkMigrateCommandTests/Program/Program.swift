import BulkTestSupport
import Testing

/// The built program, or its commands in the process of the tests, with a folder of the test's own.
///
/// In the folder are a store and two models: `Notes.sqlite` holds three notes and was written by `v1.mom`; `v2.mom` has an
/// attribute more.
struct Program {
  /// What carries out a command.
  enum Way {
    /// A process, whose current folder is that of the test.
    case process
    /// This process, see ``CommandCall``.
    case call
  }

  let directory: TemporaryDirectory
  private let way: Way

  private static let project = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The folder with the examples.
  static let plans = project.appendingPathComponent("Plans").path

  /// The program, which is built beside the tests; `nil` where it is not there.
  static let path: String? = {
    let bundles = CommandLine.arguments.map { URL(fileURLWithPath: $0) }
      .flatMap { $0.pathComponents.contains { $0.hasSuffix(".xctest") } ? $0.foldersAbove : [] }
    let steps = bundles + [project.appendingPathComponent(".build/debug")]
    return steps.map { $0.appendingPathComponent("bulkmigrate").path }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  static let source: ManagedObjectModel? = try? .of(.init("Note", [.optional("title")]))
  static let destination: ManagedObjectModel? = try? .of(
    .init("Note", [.optional("title"), .required("stars", .integer16, default: 3)])
  )

  /// The program in a folder that has what the test needs.
  init(_ way: Way, in directory: TemporaryDirectory) {
    self.way = way
    self.directory = directory
  }

  /// Makes the folder with its store and models.
  init(_ way: Way = .process, isInWriteAheadMode: Bool = false) throws {
    self.way = way
    directory = TemporaryDirectory()
    guard let source = Self.source, let destination = Self.destination else { return }
    try TestStore.write(source, to: directory.path("v1.mom"))
    try TestStore.write(destination, to: directory.path("v2.mom"))
    var store = TestStore(
      source,
      TestObject("Note", 1, ["title": "a"]),
      TestObject("Note", 2, ["title": "b"]),
      TestObject("Note", 4)
    )
    store.isInWriteAheadMode = isInWriteAheadMode
    _ = try store.write(to: directory.path("Notes.sqlite"))
  }

  /// What every call of the program has in its environment.
  static let environment = ["TERM": "dumb"]

  /// The words that plan the migration of the store to the second model.
  static let plan =
    "plan --source Notes.sqlite --destination New.sqlite --destination-model v2.mom".words

  /// Carries out a command in the folder.
  func callAsFunction(
    _ words: [String],
    environment: [String: String] = [:]
  ) throws -> ProcessRun {
    let environment = environment.merging(Self.environment) { first, _ in first }
    guard way == .process else { return CommandCall.run(words, in: directory.path, environment) }
    return try ProcessRun(
      Self.path ?? "/nowhere",
      words,
      in: directory.path,
      environment: environment
    )
  }

  func callAsFunction(_ words: String...) throws -> ProcessRun { try self(words) }

  /// Carries out a command, which must end with an exit code.
  @discardableResult
  func callAsFunction(
    _ words: [String],
    ending status: Int32,
    at location: SourceLocation = #_sourceLocation
  ) throws -> ProcessRun {
    try self(words).ending(status, at: location)
  }

  @discardableResult
  func callAsFunction(
    _ words: String...,
    ending status: Int32,
    at location: SourceLocation = #_sourceLocation
  ) throws -> ProcessRun {
    try self(words, ending: status, at: location)
  }

  /// Starts the program, to stand still at a place if one is named.
  func start(
    _ words: [String],
    standingAt step: String? = nil,
    batchRows: Int? = 1,
    environment others: [String: String] = [:]
  ) throws -> StoppableProcess {
    var environment = Self.environment.merging(others) { _, other in other }
    environment["BULKMIGRATE_BATCH_ROWS"] = batchRows.map { "\($0)" }
    environment["BULKMIGRATE_STANDSTILL"] = step
    let process = try StoppableProcess(
      Self.path ?? "/nowhere",
      words,
      in: directory.path,
      environment: environment
    )
    if step != nil { try #require(process.standsStill(), "\(process.errors)") }
    return process
  }

  /// Runs a script of the shell, for which `$0` is the program.
  func shell(_ script: String) throws -> ProcessRun {
    try ProcessRun(
      "/bin/sh",
      ["-c", script, Self.path ?? "/nowhere"],
      in: directory.path,
      environment: Self.environment
    )
  }

  /// Writes a text to a file in the folder, whose folder is made where it is missing.
  func write(_ text: String, to name: String) throws {
    let url = URL(fileURLWithPath: directory.path(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: url)
  }

  /// Writes a compiled model to a file in the folder.
  func write(_ model: ManagedObjectModel, to name: String) throws {
    try TestStore.write(model, to: directory.path(name))
  }

  /// The text of a file in the folder.
  func text(of name: String) throws -> String {
    try String(contentsOfFile: directory.path(name), encoding: .utf8)
  }

  /// The bytes of files in the folder.
  func bytes(of names: String...) throws -> [Data] {
    try names.map { try Data(contentsOf: URL(fileURLWithPath: directory.path($0))) }
  }

  /// Removes files and folders that are there.
  func remove(_ names: String...) {
    for name in names { try? FileManager.default.removeItem(atPath: directory.path(name)) }
  }

  /// Writes a mapping to `strict.mom`, whose notes need a title, which the third of the store does not have.
  func writeStrict(title: String = "$source.title", to name: String = "all.json") throws {
    try write(.of(EntityDescription("Note", [.required("title")])), to: "strict.mom")
    try write(
      """
      { "bulkmigrate": "mapping/1",
        "source": { "store": "Notes.sqlite", "model": "v1.mom" },
        "destination": { "store": "New.sqlite", "model": "strict.mom" }, "entityMappings": [
        { "source": "Note", "destination": "Note", "attributes": { "title": "\(title)" } } ] }
      """,
      to: name
    )
  }

  /// Plans for a store to become `Big.sqlite` of a model by entity mappings alone.
  func plan(_ store: TestStore, to model: ManagedObjectModel, by mappings: [EntityMapping]) throws {
    remove("Source.sqlite")
    _ = try store.write(to: directory.path("Source.sqlite"))
    try write(store.model, to: "old.mom")
    try write(model, to: "new.mom")
    try write(MappingModel(entityMappings: mappings).json, to: "all.json")
    let words = "--source-model old.mom --destination-model new.mom --mapping all.json".words
    try self("plan -q --source Source.sqlite --destination Big.sqlite".words + words, ending: 0)
  }

  /// Gives the note that was left out the title that it lacks.
  func correct(in state: String = "New.sqlite.bulkmigrate", title: String) throws {
    let name = "\(state)/rejects/Note.jsonl"
    try write(
      text(of: name).replacing(#""title": null"#, with: #""title": "\#(title)""#),
      to: name
    )
  }

  /// Whether the program dies at a failpoint.
  func isKilled(at failpoint: String, _ words: String...) throws -> Bool {
    try self(words, environment: ["BULKMIGRATE_FAILPOINT": failpoint]).status == -9
  }

  /// Kills a command behind each of its durable steps in turn, or some of them (``RandomSeeds/some(of:every:)``); given again
  /// it must end as one that nothing disturbs.
  ///
  /// - Parameters:
  ///   - words: The command.
  ///   - environment: Its environment.
  ///   - status: Its exit code.
  ///   - prepare: What is done before each attempt from the beginning.
  ///   - made: What it has made, which is then removed.
  /// - Returns: What it makes.
  /// - Throws: Any error of running it.
  @discardableResult
  func killBehindEachStep<Made: Equatable>(
    of words: [String],
    _ environment: [String: String] = [:],
    endingWith status: Int32 = 0,
    after prepare: () throws -> Void = {},
    made: () throws -> Made
  ) throws -> Made {
    func run(_ failpoint: String?) throws -> ProcessRun {
      var environment = environment
      environment["BULKMIGRATE_FAILPOINT"] = failpoint
      return try self(words, environment: environment)
    }
    try prepare()
    let steps = try run("count").steps(status)
    #expect(steps > 8)
    let expected = try made()
    for step in RandomSeeds.some(of: Array(1...steps), every: 17) {
      try prepare()
      #expect(try run("step:\(step)").status == -9, "step \(step)")
      try run(nil).ending(status, "step \(step)")
      #expect(try made() == expected, "step \(step)")
    }
    return expected
  }

  /// The names of what lies in a folder, sorted.
  func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path(folder)).sorted()
  }

  /// Who may read and write a file, as the system tells it.
  func mode(of name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: directory.path(name))[.posixPermissions]
      as? Int
  }

  /// The store that was migrated.
  var migrated: StoreFile { StoreFile(directory.path("New.sqlite")) }
}

extension Trait where Self == ConditionTrait {
  /// Leaves tests out where the program is not built.
  static var program: Self {
    .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
  }
}

extension String {
  /// The words of a command line, none of which has a space.
  var words: [String] { split(separator: " ").map(String.init) }
}

extension ProcessRun {
  /// The same, which must have ended with an exit code.
  @discardableResult
  func ending(
    _ status: Int32,
    _ what: String = "",
    at location: SourceLocation = #_sourceLocation
  ) throws -> ProcessRun {
    try #require(self.status == status, "\(what) \(output)\(errors)", sourceLocation: location)
    return self
  }

  /// The last line of what was printed, or all of it, as an object of JSON.
  func object(isLine: Bool = false) throws -> [String: Any] {
    let text = isLine ? output.split(separator: "\n").last ?? "" : output[...]
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try #require(value as? [String: Any], "\(output)")
  }

  /// The durable steps of a command that has counted them, which must end with an exit code.
  func steps(_ status: Int32 = 0) throws -> Int {
    let last = try ending(status).errors.split(separator: "\n").last
    return try #require(last.flatMap { Int($0.dropFirst("steps: ".count)) }, "\(errors)")
  }

  /// A number in the JSON that was printed, by the names on the way to it.
  func number(_ names: String...) throws -> Int {
    var value: Any? = try object()
    for name in names { value = (value as? [String: Any])?[name] }
    return try #require(value as? Int, "\(output)")
  }
}

extension URL {
  /// The folders in which something lies, innermost first.
  fileprivate var foldersAbove: [URL] {
    pathComponents.indices.dropFirst().reversed().map { count in
      URL(fileURLWithPath: "/" + pathComponents[1..<count].joined(separator: "/"))
    }
  }
}

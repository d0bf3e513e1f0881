import BulkTestSupport
import Testing

/// A small migration that has everything that can be interrupted: several batches, an association table
/// (of the filtered entity mapping), rows that are evaluated, indexes; and the bytes that it has
/// undisturbed.
///
/// It is migrated by a debug build in batches of 100 rows, see `TransactionLog`.
class Interrupted {
  let program: Program
  let undisturbed: Data
  private let batchRows: Int?
  private let planning: [String]
  /// What lies beside the destination.
  private let own: Set<String>

  convenience init(rows: Int = 600) throws {
    try self.init(.before(), .after(), ["--mapping", "all.json"], Interrupted.fixture(rows))
  }

  /// A migration that finds or creates objects, whose values SQL computes and whose are evaluated, and that
  /// divides texts into objects.
  convenience init(sharing rows: Int) throws {
    let words = "FUNCTION($source.title, \"componentsSeparatedByString:\", \" \")"
    let mappings: [EntityMapping] = try [
      .of(
        "Note",
        "Note",
        ["title": "$source.title"],
        [
          "digit": instances("NoteToDigit", "$source"), "parts": instances("NoteToPart", "$source"),
          "words": instances("NoteToWord", "$source"),
        ]
      ),
      .of(
        "Note",
        "Digit",
        unique: ["number"],
        keeping: .last,
        ["number": "modulus:by:($source.number, 7)", "title": "uppercase:($source.title)"]
      ),
      .of("Note", "Length", unique: ["text"], ["text": "uppercase:($source.title)"]),
      .of("Note", "Length", named: "AgainToLength", unique: ["text"], ["text": "$source.title"]),
      .of("Note", "Part", forEach: words, ["text": "$element"]),
      .of(
        "Note",
        "Word",
        forEach: words,
        unique: ["text"],
        ["text": "$element", "title": "$source.title"]
      ),
    ]
    try self.init(
      .of(EntityDescription("Note", [.optional("number", .integer64), .optional("title")])),
      .shared(),
      ["--mapping", "shared.json"],
      Interrupted.fixture(rows, withoutImage: nil)
    ) { program in
      try program.write(MappingModel(entityMappings: mappings).json, to: "shared.json")
    }
  }

  /// A migration of a copy that is changed: a table and columns get other names, one goes, one comes, and
  /// a number in every row changes.
  convenience init(copied rows: Int) throws {
    try self.init(.before(), .renamed(), ["--strategy", "copy"], Interrupted.fixture(rows))
  }

  /// A migration with as many changes in the history, which is cut, and of which masks and tombstones move.
  convenience init(changes: Int, strategy: String) throws {
    try self.init(
      .marked(),
      .unmarked(),
      ["--strategy", strategy],
      Interrupted.fixture(10, withoutImage: nil)
    ) { program in
      try StoreFile(program.directory.path("Source.sqlite")).execute(
        """
        CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, \
        ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB, ZTOMBSTONE0 BLOB );
        CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT );
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(changes))
        INSERT INTO ATRANSACTION SELECT i, 16002, 1, i FROM n;
        INSERT INTO ACHANGE SELECT Z_PK, 16001, 1, Z_PK % 3, 1 + (Z_PK <> 50), Z_PK, Z_PK, \
        iif(Z_PK % 3 = 1, x'C0', NULL), iif(Z_PK % 3 = 2, 'title ' || Z_PK, NULL) FROM ATRANSACTION;
        """
      )
    }
  }

  /// The same as of one mapping file, by two of which each is a pass.
  convenience init(divided rows: Int) throws {
    try self.init(
      .before(),
      .after(),
      ["--mapping", "attachments.json", "--mapping", "notes.json"],
      Interrupted.fixture(rows)
    )
  }

  /// A migration by words of `plan`, with the store that words of `fixture` make or that is written.
  init(
    _ source: ManagedObjectModel,
    _ destination: ManagedObjectModel,
    _ options: [String],
    _ fixture: [String] = [],
    batchRows: Int? = 100,
    preparing prepare: (Program) throws -> Void = { _ in }
  ) throws {
    program = try Program()
    self.batchRows = batchRows
    try program.write(source, to: "A.mom")
    try program.write(destination, to: "B.mom")
    for (name, mappings) in [
      ("all", [Interrupted.attachments, Interrupted.notes]),
      ("attachments", [Interrupted.attachments]),
      ("notes", [Interrupted.notes]),
    ] {
      let list = mappings.joined(separator: ",\n")
      try program.write(
        #"{ "bulkmigrate": "mapping/1", "infer": "unmentioned", "entityMappings": [ \#(list) ] }"#,
        to: "\(name).json"
      )
    }
    let words = ["fixture", "-q", "--model", "A.mom", "--output", "Source.sqlite"]
    if !fixture.isEmpty { try #require(try program(words + fixture).status == 0) }
    try prepare(program)
    planning =
      "plan -q --source Source.sqlite --source-model A.mom --destination Big.sqlite".words
      + ["--destination-model", "B.mom"] + options
    try program(planning, ending: 0)
    try program(["run", "-q"], environment: Interrupted.environment(batchRows)).ending(0)
    undisturbed = try Interrupted.taken(program)
    own = try Set(program.names(in: "."))
  }

  /// Plans for the store as it is now.
  func plan() throws { try program(planning, ending: 0) }

  fileprivate static func fixture(_ rows: Int, withoutImage share: String? = "50%") -> [String] {
    let images = share.map { ["--nil", "Note.image=\($0)", "--bytes", "Note.image=60-70"] }
    return ["--rows", "Note=\(rows)"] + (images ?? [])
  }

  private static func environment(_ batchRows: Int?) -> [String: String] {
    var environment = ["BULKMIGRATE_MAX_LOSS": "all"]
    environment["BULKMIGRATE_BATCH_ROWS"] = batchRows.map { "\($0)" }
    return environment
  }

  /// The bytes of a destination, which is removed.
  private static func taken(_ program: Program) throws -> Data {
    let path = program.directory.path("Big.sqlite")
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// The folder in which an interrupted run leaves what it did.
  var state: String { program.directory.path("Big.sqlite.bulkmigrate") }

  /// Runs a command of the migration, which dies at a failpoint if one is named.
  func callAsFunction(
    _ words: String...,
    failpoint: String? = nil,
    batchRows: Int? = nil
  ) throws -> ProcessRun {
    try self(words, failpoint: failpoint, batchRows: batchRows)
  }

  func callAsFunction(
    _ words: [String],
    failpoint: String? = nil,
    batchRows: Int? = nil,
    environment others: [String: String] = [:]
  ) throws -> ProcessRun {
    var environment = Self.environment(batchRows ?? self.batchRows)
      .merging(others) { _, other in other }
    environment["BULKMIGRATE_FAILPOINT"] = failpoint
    return try program(words, environment: environment)
  }

  /// Runs until a failpoint.
  ///
  /// - Returns: Whether it was reached.
  func isKilled(at failpoint: String, _ words: String...) throws -> Bool {
    try self((words.isEmpty ? ["run"] : words) + ["-q"], failpoint: failpoint).status == -9
  }

  /// The durable steps of a command that is not disturbed, as it counts them itself.
  func steps(_ words: String...) throws -> Int { try steps(words + ["-q"]) }

  func steps(_ words: [String]) throws -> Int { try self(words, failpoint: "count").steps() }

  /// The bytes of the destination, which is then removed.
  func migrated() throws -> Data { try Self.taken(program) }

  /// The program, standing still at a failpoint.
  func standing(at step: String, _ words: String...) throws -> StoppableProcess {
    try standing(at: step, words)
  }

  func standing(at step: String, _ words: [String]) throws -> StoppableProcess {
    try program.start(words, standingAt: step, batchRows: batchRows)
  }

  /// What lies beside the source, the models, the mappings and the plan.
  func leftovers() throws -> [String] { try program.names(in: ".").filter { !own.contains($0) } }

  /// The files of the checkpoints that were kept.
  func checkpoints() throws -> [String] {
    try program.names(in: "Big.sqlite.bulkmigrate").filter { $0.hasPrefix("checkpoint-") }
      .map { "Big.sqlite.bulkmigrate/\($0)" }
  }

  /// Whether nothing of an interrupted run is left.
  func isTidy() throws -> Bool { try leftovers().allSatisfy { !$0.hasSuffix(".bulkmigrate") } }

  /// Goes on with damaged files as a user would, and tells what came of it; `nil` where all is well.
  func outcome(_ what: String) throws -> String? {
    var run = try self("resume", "-q")
    if run.status != 0 {
      // What was done before the first checkpoint, or after the last step, leaves nothing to resume.
      let begins = run.errors.contains("bulkmigrate run begins one")
      run = begins ? try self("run", "-q") : try self("run", "-q", "--restart")
    }
    let isThere = run.status == 73 && run.errors.contains("Big.sqlite already exists")
    guard run.status == 0 || isThere else { return "\(what): \(run.status), \(run.errors)" }
    guard try migrated() == undisturbed else { return "\(what): other bytes" }
    return try isTidy() ? nil : "\(what): something is left"
  }

  private static let attachments = """
    { "source": "Note", "destination": "Attachment", "filter": "image != nil",
      "attributes": { "image": "$source.image" },
      "relationships": {
        "note": "FUNCTION($manager, \\"destinationInstancesForEntityMappingNamed:sourceInstances:\\", \\"NoteToNote\\", $source)"
      } }
    """
  private static let notes = """
    { "source": "Note", "destination": "Note", "attributes": { "title": "uppercase:($source.title)" },
      "relationships": {
        "attachment": "FUNCTION($manager, \\"destinationInstancesForEntityMappingNamed:sourceInstances:\\", \\"NoteToAttachment\\", $source)"
      } }
    """
}

/// A migration by a mapping model of 26,000 notes, in several transactions as they are for everybody.
final class LongMigration: Interrupted {
  init() throws {
    let fixture = Interrupted.fixture(26_000, withoutImage: "90%")
    try super.init(.before(), .after(), ["--mapping", "all.json"], fixture, batchRows: nil)
  }
}

extension ManagedObjectModel {
  fileprivate static func before() throws -> Self {
    try of(EntityDescription("Note", [.optional("image", .binaryData), .optional("title")]))
  }

  fileprivate static func after() throws -> Self {
    try of(
      EntityDescription(
        "Attachment",
        [.optional("image", .binaryData)],
        [.toOne("note", "Note.attachment")]
      ),
      EntityDescription("Note", [.optional("title")], [.toOne("attachment", "Attachment.note")])
    )
  }

  fileprivate static func renamed() throws -> Self {
    var page = EntityDescription(
      "Page",
      id: "Note",
      [.optional("heading", id: "title"), .required("weight", .integer32, default: 3)]
    )
    page.indexes = [FetchIndexDescription("byHeading", elements: [.init(.property("heading"))])]
    return try of(EntityDescription("Author"), page)
  }

  fileprivate static func marked() throws -> Self {
    try of(
      EntityDescription("Mark"),
      EntityDescription("Note", [.optional("size", .integer32), .preserved("title")])
    )
  }

  fileprivate static func unmarked() throws -> Self {
    let attributes: [AttributeDescription] = [
      .preserved("body"), .optional("size", .integer32), .preserved("title"),
    ]
    return try of(
      EntityDescription("Author"),
      EntityDescription("Date"),
      EntityDescription("Note", attributes)
    )
  }

  fileprivate static func shared() throws -> Self {
    try of(
      EntityDescription(
        "Digit",
        [.optional("number", .integer64), .optional("title")],
        [.toMany("notes", "Note.digit")]
      ),
      EntityDescription("Length", [.optional("text")]),
      EntityDescription(
        "Note",
        [.optional("title")],
        [
          .toOne("digit", "Digit.notes"),
          .toMany("parts", "Part.note", isOrdered: true),
          .toMany("words", "Word.notes", isOrdered: true),
        ]
      ),
      EntityDescription("Part", [.optional("text")], [.toOne("note", "Note.parts")]),
      EntityDescription(
        "Word",
        [.optional("text"), .optional("title")],
        [.toMany("notes", "Note.words")]
      )
    )
  }
}

extension AttributeDescription {
  /// A text whose value the history keeps when its object is deleted.
  fileprivate static func preserved(_ name: String) -> AttributeDescription {
    var result = optional(name)
    result.preservesValueInHistoryOnDeletion = true
    return result
  }
}

/// A migration that is done in many attempts, each of which is out of time from its beginning.
enum Slices {
  /// More attempts than any of the tests' migrations has transactions.
  private static let most = 100

  /// Makes attempts until one ends with another code than 6.
  ///
  /// - Returns: The codes.
  static func codes(_ attempt: () throws -> ProcessRun) rethrows -> [Int32] {
    var codes: [Int32] = []
    repeat { codes.append(try attempt().status) } while codes.last == 6 && codes.count < most
    return codes
  }
}

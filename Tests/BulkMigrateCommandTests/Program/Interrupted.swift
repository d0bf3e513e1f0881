import BulkTestSupport
import Foundation
import Testing

/// A small migration that has everything that can be interrupted: several batches, an association table
/// (of the filtered entity mapping), rows that are evaluated, indexes; and the bytes that it has
/// undisturbed.
///
/// It is migrated by a debug build in batches of 100 rows, see `TransactionLog`.
struct Interrupted {
  let program: Program
  let undisturbed: Data

  private static let environment = ["BULKMIGRATE_BATCH_ROWS": "100", "BULKMIGRATE_MAX_LOSS": "all"]

  init(rows: Int = 600) throws {
    try self.init([Self.before, Self.after], ["--mapping", "all.json"], rows: rows)
  }

  /// A migration that finds or creates objects, whose values SQL computes and whose are evaluated, and that
  /// divides texts into objects.
  init(sharing rows: Int) throws {
    let models = [Self.undivided, Self.shared]
    try self.init(models, ["--mapping", "all.json"], by: Self.sharedMapping, rows: rows)
  }

  /// A migration of a copy that is changed: a table and columns get other names, one goes, one comes, and
  /// a number in every row changes.
  init(copied rows: Int) throws {
    try self.init([Self.before, Self.renamed], ["--strategy", "copy"], rows: rows)
  }

  /// A migration with as many changes in the history, which is cut, and of which masks and tombstones move.
  init(changes: Int, strategy: String) throws {
    try self.init(
      [Self.marked, Self.unmarked],
      ["--strategy", strategy],
      rows: 10,
      sql: """
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

  /// The same as of one mapping file, by two of which each is a pass.
  init(divided rows: Int) throws {
    try self.init(
      [Self.before, Self.after],
      ["--mapping", "attachments.json", "--mapping", "notes.json"],
      rows: rows
    )
  }

  private init(
    _ models: [String],
    _ options: [String],
    by mapping: String? = nil,
    rows: Int,
    sql: String? = nil
  ) throws {
    program = try Program()
    let folder = program.directory
    for (name, text) in zip(["A.xcdatamodel", "B.xcdatamodel"], models) {
      try FileManager.default.createDirectory(
        atPath: folder.path(name),
        withIntermediateDirectories: true
      )
      try text.write(toFile: folder.path("\(name)/contents"), atomically: true, encoding: .utf8)
    }
    for (name, mappings) in [
      ("all", [Self.attachments, Self.notes]), ("attachments", [Self.attachments]),
      ("notes", [Self.notes]),
    ] {
      try (name == "all" ? mapping ?? Self.mapping(mappings) : Self.mapping(mappings))
        .write(toFile: folder.path("\(name).json"), atomically: true, encoding: .utf8)
    }
    let images =
      models[0].contains("image") ? ["--nil", "Note.image=50%", "--bytes", "Note.image=60-70"] : []
    let fixture =
      [
        "fixture", "-q", "--model", "A.xcdatamodel", "--rows", "Note=\(rows)", "--output",
        "Source.sqlite",
      ] + images
    try #require(try program(fixture).status == 0)
    if let sql { try StoreFile(folder.path("Source.sqlite")).execute(sql) }
    let plan = [
      "plan", "-q", "--source", "Source.sqlite", "--source-model", "A.xcdatamodel",
      "--destination", "Big.sqlite", "--destination-model", "B.xcdatamodel",
    ]
    let planned = try program(plan + options)
    try #require(planned.status == 0, "\(planned.errors)")
    let run = try program(["run", "-q"], environment: Self.environment)
    try #require(run.status == 0, "\(run.errors)")
    let path = folder.path("Big.sqlite")
    undisturbed = try Data(contentsOf: URL(fileURLWithPath: path))
    try FileManager.default.removeItem(atPath: path)
  }

  /// The folder in which an interrupted run leaves what it did.
  var state: String { program.directory.path("Big.sqlite.bulkmigrate") }

  /// Runs a command of the migration, which dies at a failpoint if one is named.
  func callAsFunction(
    _ words: String...,
    failpoint: String? = nil,
    batchRows: Int? = nil
  ) throws -> ProcessRun {
    var environment = Self.environment
    environment["BULKMIGRATE_FAILPOINT"] = failpoint
    if let batchRows { environment["BULKMIGRATE_BATCH_ROWS"] = "\(batchRows)" }
    return try program(words, environment: environment)
  }

  /// Runs until a failpoint.
  ///
  /// - Returns: Whether it was reached.
  func isKilled(at failpoint: String, _ command: String = "run") throws -> Bool {
    try self(command, "-q", failpoint: failpoint).status == -9
  }

  /// The durable steps of a command that is not disturbed, as it counts them itself.
  func steps(_ command: String) throws -> Int {
    let run = try self(command, "-q", failpoint: "count")
    let count = run.errors.split(separator: "\n").last.flatMap {
      Int($0.dropFirst("steps: ".count))
    }
    return try #require(count, "\(run.errors)")
  }

  /// The bytes of the destination, which is then removed.
  func migrated() throws -> Data {
    let path = program.directory.path("Big.sqlite")
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// Whether nothing of an interrupted run is left.
  func isTidy() throws -> Bool {
    try program.directory.contents().allSatisfy {
      !$0.contains(".bulkmigrate/") && !$0.hasSuffix(".bulkmigrate")
    }
  }

  /// The names of files in the state directory that begin and end in some way.
  func files(_ prefix: String, _ suffix: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: state)
      .filter { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) }.sorted()
  }

  /// The bytes of a file in the state directory.
  func bytes(of name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: "\(state)/\(name)"))
  }

  /// What lies in the state directory, so that it can be laid there again.
  func snapshot() throws -> [String: Data] {
    try Dictionary(uniqueKeysWithValues: files("").map { ($0, try bytes(of: $0)) })
  }

  /// Lays what was kept into the state directory, with some files as they are given.
  func lay(_ snapshot: [String: Data], with changed: [String: Data]) throws {
    try? FileManager.default.removeItem(atPath: state)
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
    for (name, bytes) in snapshot.merging(changed, uniquingKeysWith: { $1 }) {
      try bytes.write(to: URL(fileURLWithPath: "\(state)/\(name)"))
    }
  }

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

  private static func mapping(_ entityMappings: [String]) -> String {
    """
    {
      "bulkmigrate": "mapping/1",
      "infer": "unmentioned",
      "entityMappings": [
        \(entityMappings.joined(separator: ",\n"))
      ]
    }
    """
  }

  private static let attachments = """
    {
      "source": "Note", "destination": "Attachment", "filter": "image != nil",
      "attributes": { "image": "$source.image" },
      "relationships": {
        "note": "FUNCTION($manager, \\"destinationInstancesForEntityMappingNamed:sourceInstances:\\", \\"NoteToNote\\", $source)"
      }
    }
    """
  private static let notes = """
    {
      "source": "Note", "destination": "Note",
      "attributes": { "title": "uppercase:($source.title)" },
      "relationships": {
        "attachment": "FUNCTION($manager, \\"destinationInstancesForEntityMappingNamed:sourceInstances:\\", \\"NoteToAttachment\\", $source)"
      }
    }
    """

  private static func model(_ entities: String) -> String {
    "<?xml version=\"1.0\"?><model type=\"com.apple.IDECoreDataModeler.DataModel\">\(entities)</model>"
  }

  private static let before = model(
    """
    <entity name="Note"><attribute name="image" optional="YES" attributeType="Binary"/>\
    <attribute name="title" optional="YES" attributeType="String"/></entity>
    """
  )
  private static let marked = model(
    """
    <entity name="Mark"/><entity name="Note"><attribute name="size" optional="YES" attributeType="Integer 32"/>\
    <attribute name="title" optional="YES" attributeType="String" preserveAfterDeletion="YES"/></entity>
    """
  )
  private static let unmarked = model(
    """
    <entity name="Author"/><entity name="Date"/><entity name="Note">\
    <attribute name="body" optional="YES" attributeType="String" preserveAfterDeletion="YES"/>\
    <attribute name="size" optional="YES" attributeType="Integer 32"/>\
    <attribute name="title" optional="YES" attributeType="String" preserveAfterDeletion="YES"/></entity>
    """
  )
  private static let undivided = model(
    """
    <entity name="Note"><attribute name="number" optional="YES" attributeType="Integer 64"/>\
    <attribute name="title" optional="YES" attributeType="String"/></entity>
    """
  )
  private static let shared = model(
    """
    <entity name="Digit"><attribute name="number" optional="YES" attributeType="Integer 64"/>\
    <attribute name="title" optional="YES" attributeType="String"/>\
    <relationship name="notes" optional="YES" toMany="YES" destinationEntity="Note" \
    inverseName="digit" inverseEntity="Note"/></entity>\
    <entity name="Length"><attribute name="text" optional="YES" attributeType="String"/></entity>\
    <entity name="Note"><attribute name="title" optional="YES" attributeType="String"/>\
    <relationship name="digit" optional="YES" maxCount="1" destinationEntity="Digit" \
    inverseName="notes" inverseEntity="Digit"/>\
    <relationship name="parts" optional="YES" toMany="YES" ordered="YES" destinationEntity="Part" \
    inverseName="note" inverseEntity="Part"/>\
    <relationship name="words" optional="YES" toMany="YES" ordered="YES" destinationEntity="Word" \
    inverseName="notes" inverseEntity="Word"/></entity>\
    <entity name="Part"><attribute name="text" optional="YES" attributeType="String"/>\
    <relationship name="note" optional="YES" maxCount="1" destinationEntity="Note" \
    inverseName="parts" inverseEntity="Note"/></entity>\
    <entity name="Word"><attribute name="text" optional="YES" attributeType="String"/>\
    <attribute name="title" optional="YES" attributeType="String"/>\
    <relationship name="notes" optional="YES" toMany="YES" destinationEntity="Note" \
    inverseName="words" inverseEntity="Note"/></entity>
    """
  )

  private static func made(by mapping: String) -> String {
    "FUNCTION($manager, \\\"destinationInstancesForEntityMappingNamed:sourceInstances:\\\", "
      + "\\\"\(mapping)\\\", $source)"
  }

  private static let parts =
    "FUNCTION($source.title, \\\"componentsSeparatedByString:\\\", \\\" \\\")"

  private static let sharedMapping = """
    {
      "bulkmigrate": "mapping/1",
      "infer": "none",
      "entityMappings": [
        {
          "source": "Note", "destination": "Note", "attributes": { "title": "$source.title" },
          "relationships": {
            "digit": "\(made(by: "NoteToDigit"))", "parts": "\(made(by: "NoteToPart"))",
            "words": "\(made(by: "NoteToWord"))"
          }
        },
        {
          "source": "Note", "destination": "Digit", "unique": ["number"], "keep": "last",
          "attributes": {
            "number": "modulus:by:($source.number, 7)", "title": "uppercase:($source.title)"
          }
        },
        {
          "source": "Note", "destination": "Length", "unique": ["text"],
          "attributes": { "text": "uppercase:($source.title)" }
        },
        {
          "name": "AgainToLength", "source": "Note", "destination": "Length", "unique": ["text"],
          "attributes": { "text": "$source.title" }
        },
        {
          "source": "Note", "destination": "Part", "forEach": "\(parts)",
          "attributes": { "text": "$element" }
        },
        {
          "source": "Note", "destination": "Word", "forEach": "\(parts)", "unique": ["text"],
          "attributes": { "text": "$element", "title": "$source.title" }
        }
      ]
    }
    """

  private static let renamed = model(
    """
    <entity name="Author"/><entity name="Page" elementID="Note">\
    <attribute name="heading" optional="YES" attributeType="String" elementID="title"/>\
    <attribute name="weight" attributeType="Integer 32" defaultValueString="3"/>\
    <fetchIndex name="byHeading"><fetchIndexElement property="heading" type="Binary" order="ascending"/>\
    </fetchIndex></entity>
    """
  )
  private static let after = model(
    """
    <entity name="Attachment"><attribute name="image" optional="YES" attributeType="Binary"/>\
    <relationship name="note" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Note" inverseName="attachment" inverseEntity="Attachment"/></entity>\
    <entity name="Note"><attribute name="title" optional="YES" attributeType="String"/>\
    <relationship name="attachment" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Attachment" inverseName="note" inverseEntity="Note"/></entity>
    """
  )
}

extension Data {
  /// The same bytes with one bit changed.
  func flipped(bit: Int, at offset: Int) -> Data {
    var result = self
    result[result.startIndex + offset] ^= 1 << bit
    return result
  }
}

import BulkFixture
import BulkTestSupport
import Testing

/// A small sound store with all kinds of relationships, and a model to migrate it to.
struct SmallStore {
  /// The bytes of the store, which lies in one file.
  let bytes: [UInt8]
  /// Where its migrations take place.
  let folder = TemporaryDirectory()
  private let strategy: StoreStrategy.Kind?

  /// The store, which a test may change.
  var source: String { folder.path("source.sqlite") }
  var destination: String { folder.path("destination.sqlite") }

  /// A store to be migrated to a model, which is the second one where none is named.
  init(to model: String = SmallModel.second, by strategy: StoreStrategy.Kind? = nil) throws {
    self.strategy = strategy
    try Files.write(Array(SmallModel.first.utf8), to: folder.path("v1.xml"))
    try Files.write(Array(model.utf8), to: folder.path("v2.xml"))
    var request = FixtureRequest()
    request.rows = ["Note": 60, "Folder": 12, "Smart": 5, "Tag": 20]
    request.links = ["Note.tags": 2]
    let source = folder.path("source.sqlite")
    let first = try ManagedObjectModel(contentsOf: folder.path("v1.xml"))
    #expect(try Fixture(first, request).write(to: source) > 97)
    bytes = try Files.read(source)
  }

  /// Changes the store with SQL.
  func change(_ sql: String...) throws {
    let connection = try Connection(path: source, access: .readWrite)
    for statement in sql { try connection.execute(statement) }
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Plans a migration to the model.
  func plan(_ source: String? = nil, to destination: String? = nil) throws -> MigrationPlan {
    var request = PlanRequest()
    request.source = source ?? self.source
    request.destination = destination ?? self.destination
    request.destinationModel = folder.path("v2.xml")
    request.strategy = strategy
    return try Planner.plan(request)
  }

  /// Plans a migration and carries it out.
  func migrate(_ source: String? = nil, to destination: String? = nil) throws {
    _ = try Migration(inTestProcess: plan(source, to: destination)).run()
  }

  /// A value of the destination.
  func value(_ sql: String) throws -> SQLiteValue? {
    try Connection(path: destination, access: .source).value(sql)
  }

  /// The number of rows that a part of a query of the destination names.
  func count(_ from: String) throws -> Int64 {
    guard case .integer(let count)? = try value("SELECT count(*) FROM \(from)") else { return -1 }
    return count
  }

  /// How the destination compares with a source.
  func outcome(of source: String? = nil) throws -> Trial.Outcome {
    try Comparison(source: source ?? self.source, destination: destination).outcome()
  }

  /// The files of a migration that are left.
  func left() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      .filter { $0.hasPrefix("destination") }.sorted()
  }
}

/// Versions of a model: in the second, notes have one attribute more and folders one less.
enum SmallModel {
  static let first = text(
    note: "",
    folder: #"<attribute name="hint" optional="YES" attributeType="String"/>"#
  )
  static let second = text(
    note:
      #"<attribute name="state" optional="YES" attributeType="Integer 16" defaultValueString="7"/>"#,
    folder: ""
  )

  /// The first with one more entity at the end: every table moves as it is.
  static let grown = first.replacing("</model>", with: #"<entity name="Zone"/></model>"#)

  private static func text(note: String, folder: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
    <entity name="Folder">
    <attribute name="name" attributeType="String"/>\(folder)
    <relationship name="notes" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade" destinationEntity="Note" inverseName="folder" inverseEntity="Note"/>
    </entity>
    <entity name="Smart" parentEntity="Folder">
    <attribute name="rule" optional="YES" attributeType="Binary"/>
    </entity>
    <entity name="Note">
    <attribute name="body" optional="YES" attributeType="String"/>
    <attribute name="created" attributeType="Date"/>
    <attribute name="uuid" optional="YES" attributeType="UUID"/>
    <attribute name="weight" optional="YES" attributeType="Double"/>\(note)
    <relationship name="folder" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Folder" inverseName="notes" inverseEntity="Folder"/>
    <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Tag" inverseName="notes" inverseEntity="Tag"/>
    <fetchIndex name="byCreation"><fetchIndexElement property="created" type="Binary" order="ascending"/></fetchIndex>
    </entity>
    <entity name="Tag">
    <attribute name="name" attributeType="String"/>
    <attribute name="rank" attributeType="Integer 32"/>
    <relationship name="notes" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Note" inverseName="tags" inverseEntity="Note"/>
    <relationship name="next" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Tag" inverseName="before" inverseEntity="Tag"/>
    <relationship name="before" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Tag" inverseName="next" inverseEntity="Tag"/>
    </entity>
    </model>
    """
  }
}

import BulkVersions
import BulkFixture
import BulkModel
import BulkPlan
import BulkTestSupport
import Foundation
import Testing

/// A small sound store with all kinds of relationships, and a model to migrate it to.
struct SmallStore {
  /// The bytes of the store, which lies in one file.
  let bytes: [UInt8]
  /// Where its migrations take place.
  let folder: TemporaryDirectory
  /// The model to migrate to.
  let destinationModel: String
  private let strategy: StoreStrategy.Kind?

  /// A store to be migrated to a model, which is the second one where none is named.
  init(to model: String = SmallModel.second, by strategy: StoreStrategy.Kind? = nil) throws {
    self.strategy = strategy
    folder = try TemporaryDirectory()
    destinationModel = folder.path("v2.xml")
    try Files.write(Array(model.utf8), to: destinationModel)
    let source = folder.path("sound.sqlite")
    try SmallStore.make(source, in: folder)
    bytes = try Files.read(source)
  }

  /// Writes the sound store.
  static func make(_ path: String, in folder: TemporaryDirectory) throws {
    let model = folder.path("v1.xml")
    try Files.write(Array(SmallModel.first.utf8), to: model)
    var request = FixtureRequest()
    request.rows = ["Note": 60, "Folder": 12, "Smart": 5, "Tag": 20]
    request.links = ["Note.tags": 2]
    let made = try Fixture(ManagedObjectModel(contentsOf: model), request).write(to: path)
    #expect(made > 97)
  }

  /// A request to migrate a store to the second model.
  func request(_ source: String, to destination: String) -> PlanRequest {
    var request = PlanRequest()
    request.source = source
    request.destination = destination
    request.destinationModel = destinationModel
    request.strategy = strategy
    return request
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

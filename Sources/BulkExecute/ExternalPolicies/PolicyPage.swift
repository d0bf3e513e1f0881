internal import BulkSupport
internal import BulkModel

/// The objects of a page, about which a policy's program is asked before its hooks are called for each of them.
struct PolicyPage {
  /// The most objects of a page.
  static let rows = 500
  let entity: String
  let destinationEntity: String
  let sources: [Int64]
  /// None before they are made.
  var destinations: [ObjectID] = []
  /// The bytes that values and answers may have.
  let byteLimit: Int
  /// By the key path.
  let value: (String, Int64) throws -> AttributeValue

  func subject(_ range: Range<Int>) -> String {
    "\(entity) \(sources[range.lowerBound]) to \(sources[range.upperBound - 1])"
  }

  /// A destination object in a request: its key, or its entity too where that is not the mapping's.
  func json(_ object: ObjectID) -> String {
    guard object.entityName != destinationEntity else { return "\(object.key)" }
    return "{\"entity\":\(JSONText.quoted(object.entityName)),\"key\":\(object.key)}"
  }
}

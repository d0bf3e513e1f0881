internal import BulkModel

/// The objects of a page, about which a policy's program is asked before its hooks are called for each of them.
struct PolicyPage {
  /// The most objects of a page.
  static let rows = 500

  /// The source objects' entity.
  let entity: String
  /// The keys of the source objects.
  let sources: [Int64]
  /// The keys of the destination objects; none before they are made.
  var destinations: [Int64] = []
  /// The bytes that values and answers may have.
  let byteLimit: Int
  /// Reads a value of a source object, by its key path.
  let value: (String, Int64) throws -> AttributeValue

  /// The objects at some places, as errors name them.
  func place(_ range: Range<Int>) -> String {
    "\(entity) \(sources[range.lowerBound]) to \(sources[range.upperBound - 1])"
  }
}

internal import BulkCoding
internal import BulkModel
internal import BulkPlatform

/// The first objects of the last request to a policy's program, and a digest of the answers.
///
/// A program is deterministic: its answer for an object depends on the object and on `userInfo` alone. A resumed run repeats
/// the request and compares the answers.
struct PolicySample: Codable {
  static let rows = 16
  static let bytes = 1 << 16
  var mapping: String
  var place: String
  var count: Int
  /// The request without its number and its end.
  var request: Data
  /// The digest of the answers, in hexadecimal.
  var digest: String

  /// The digest of answers, on which the blanks between their parts have no influence.
  static func digest(of answers: some Sequence<JSONValue>) -> String {
    var hash = SHA256()
    for answer in answers { add(answer, to: &hash) }
    return VersionHash.hexadecimal(hash.finalize())
  }

  private static func add(_ value: JSONValue, to hash: inout SHA256) {
    switch value.content {
    case .null: hash.update("n")
    case .boolean(let flag): hash.update(flag ? "t" : "f")
    case .number(let text): hash.update("#\(text) ")
    case .string(let text): hash.update(JSONText.quoted(text))
    case .array(let elements):
      hash.update("[")
      for element in elements { add(element, to: &hash) }
      hash.update("]")
    case .object(let members):
      hash.update("{")
      for member in members {
        hash.update(JSONText.quoted(member.name))
        add(member.value, to: &hash)
      }
      hash.update("}")
    }
  }
}

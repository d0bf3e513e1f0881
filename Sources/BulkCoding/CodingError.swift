/// An error in bytes that should be a property list, an archive or a compressed stream.
package enum CodingError: Error, Equatable, Sendable {
  /// The bytes are of another format.
  case notA(String, reason: String)
  case truncated(String, offset: Int)
  /// Something violates its format.
  case invalid(String, offset: Int, reason: String)
  case tooDeep(String, offset: Int, limit: Int)
  /// The decoded content would be larger than allowed.
  case tooLarge(String, offset: Int, limit: Int)
  case cyclic(String, offset: Int)
  /// An XML document violates the rules of XML or of its content.
  case xml(line: Int, reason: String)
  /// An archived object violates the rules of its archive.
  case invalidObject(Int, reason: String)
}

extension CodingError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notA(let what, let reason): "not a \(what): \(reason)"
    case .truncated(let what, let offset): "the bytes end inside \(what) at byte \(offset)"
    case .invalid(let what, let offset, let reason): "\(what) at byte \(offset) \(reason)"
    case .tooDeep(let what, let offset, let limit):
      "\(what) at byte \(offset) is nested more than \(limit) levels deep"
    case .tooLarge(let what, let offset, let limit):
      "\(what) at byte \(offset) makes more than \(limit)"
    case .cyclic(let what, let offset): "\(what) at byte \(offset) holds itself"
    case .xml(let line, let reason): "the XML \(reason) in line \(line)"
    case .invalidObject(let index, let reason): "archived object \(index) \(reason)"
    }
  }
}

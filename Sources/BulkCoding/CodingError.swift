/// What is wrong with bytes that should hold a property list, an archive or a compressed stream.
package enum CodingError: Error, Equatable, Sendable {
  /// The bytes are of another format.
  case notA(String, reason: String)
  /// The bytes end before a thing does.
  case truncated(String, offset: Int)
  /// A thing contradicts its format.
  case invalid(String, offset: Int, reason: String)
  /// Containers lie in each other deeper than is read.
  case tooDeep(String, offset: Int, limit: Int)
  /// What would be made of the bytes is larger than is allowed.
  case tooLarge(String, offset: Int, limit: Int)
  /// A container holds itself.
  case cyclic(String, offset: Int)
  /// An XML document breaks a rule of XML or of what it holds.
  case xml(line: Int, reason: String)
  /// An archived object contradicts what its archive may hold.
  case invalidObject(Int, reason: String)
}

extension CodingError: CustomStringConvertible {
  /// The fault as a sentence.
  package var description: String {
    switch self {
    case .notA(let what, let reason): "not a \(what): \(reason)"
    case .truncated(let what, let offset): "the bytes end inside \(what) at byte \(offset)"
    case .invalid(let what, let offset, let reason): "\(what) at byte \(offset) \(reason)"
    case .tooDeep(let what, let offset, let limit):
      "\(what) at byte \(offset) lies more than \(limit) levels deep"
    case .tooLarge(let what, let offset, let limit):
      "\(what) at byte \(offset) makes more than \(limit)"
    case .cyclic(let what, let offset): "\(what) at byte \(offset) holds itself"
    case .xml(let line, let reason): "the XML \(reason) in line \(line)"
    case .invalidObject(let index, let reason): "archived object \(index) \(reason)"
    }
  }
}

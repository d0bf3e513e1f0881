/// An error in bytes that should be a property list, an archive or a compressed stream.
package enum CodingError: Error, Equatable, Sendable {
  case notA(String, reason: String)
  case truncated(String, offset: Int)
  case invalid(String, offset: Int, reason: String)
  case tooDeep(String, offset: Int, limit: Int)
  case tooLarge(String, offset: Int, limit: Int)
  case cyclic(String, offset: Int)
  case xml(line: Int, reason: String)
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

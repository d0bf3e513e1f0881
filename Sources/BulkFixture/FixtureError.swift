/// Why a store cannot be made as it was asked for.
public enum FixtureError: Error, Equatable, Sendable {
  /// Rows, bytes or links are asked for of something that the model does not have.
  case unknown(String, what: String, nearest: [String])
  /// Rows are asked for of an entity that has none of its own.
  case abstract(String)
  /// There is something under the store's name already.
  case exists(String)
  /// The store cannot be written.
  case cannotWrite(String)
}

extension FixtureError: CustomStringConvertible {
  /// The fault in a sentence.
  public var description: String {
    switch self {
    case .unknown(let name, let what, let nearest):
      "the model has no \(what) \(name); it has \(nearest.joined(separator: ", "))"
    case .abstract(let name):
      "entity \(name) is abstract and has no objects of its own; name one of its subentities"
    case .exists(let path): "\(path) is there already and is not overwritten"
    case .cannotWrite(let reason): reason
    }
  }
}

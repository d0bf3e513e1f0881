/// Why an archive holds no expression or predicate, and where.
package struct ExpressionArchiveError: Error, Hashable, Sendable {
  /// What is wrong.
  package enum Reason: Hashable, Sendable {
    /// The bytes are no archive.
    case notAnArchive(String)
    /// Nothing stands where something must.
    case missing
    /// Something of another kind stands there.
    case wrongKind(expected: String)
    /// An object of a class that is not read.
    case unknownClass(String, expected: String)
    /// A number that is not one of those that have a meaning.
    case unknownNumber(Int64)
    /// A key path with an empty key.
    case emptyKey
    /// An object that leads to itself.
    case cyclic
    /// Objects inside one another beyond the limit.
    case tooDeep(limit: Int)
    /// More objects than the limit, each counted wherever it stands.
    case tooLarge(limit: Int)
  }

  /// The keys from the root to the place, as in `root.NSArguments[1].NSOperand`.
  package let place: String
  /// What is wrong.
  package let reason: Reason
}

extension ExpressionArchiveError: CustomStringConvertible {
  /// The place and the fault in one line.
  package var description: String { "\(place): \(reason)" }
}

extension ExpressionArchiveError.Reason: CustomStringConvertible {
  /// The fault as a sentence.
  package var description: String {
    switch self {
    case .notAnArchive(let reason): reason
    case .missing: "nothing stands here"
    case .wrongKind(let expected): "this is not \(expected)"
    case .unknownClass(let name, let expected): "class \(name) is not \(expected) that is known"
    case .unknownNumber(let number): "\(number) has no meaning here"
    case .emptyKey: "a key of the key path is empty"
    case .cyclic: "the object leads to itself"
    case .tooDeep(let limit): "more than \(limit) objects stand inside one another"
    case .tooLarge(let limit): "more than \(limit) objects are used"
    }
  }
}

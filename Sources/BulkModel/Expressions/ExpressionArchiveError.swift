/// Why an archive holds no expression or predicate, and where.
package struct ExpressionArchiveError: Error, Hashable, Sendable {
  /// What is wrong.
  package enum Reason: Hashable, Sendable {
    /// The bytes are not an archive.
    case notAnArchive(String)
    /// A required object is missing.
    case missing
    /// An object has the wrong kind.
    case wrongKind(expected: String)
    /// An object has a class that is not supported.
    case unknownClass(String, expected: String)
    /// A number has no defined meaning.
    case unknownNumber(Int64)
    /// A key path with an empty key.
    case emptyKey
    /// An object that refers to itself.
    case cyclic
    /// Objects are nested too deeply.
    case tooDeep(limit: Int)
    /// There are more objects than allowed, counting each use.
    case tooLarge(limit: Int)
  }

  /// The keys from the root to the error, as in `root.NSArguments[1].NSOperand`.
  package let place: String
  /// What is wrong.
  package let reason: Reason
}

extension ExpressionArchiveError: CustomStringConvertible {
  /// The position and the error in one line.
  package var description: String { "\(place): \(reason)" }
}

extension ExpressionArchiveError.Reason: CustomStringConvertible {
  /// The error as a sentence.
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

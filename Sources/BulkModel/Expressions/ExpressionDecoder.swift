import BulkCoding

/// Decodes archived expressions and predicates.
///
/// Objects may be shared, so an archive of a few bytes may describe a tree that exhausts memory; therefore
/// every use is counted.
struct ExpressionDecoder {
  /// The object limit; the largest expression found in 261 mapping models has 13.
  static let objectLimit = 10_000

  private var place = ["root"]
  private var ancestors: [Int] = []
  private var depth = 0
  private var objectCount = 0

  /// Enters an object that may have children; every call needs a ``leave(_:)``, except after an error.
  mutating func enter(_ object: ArchivedObject) throws(ExpressionArchiveError) {
    try count(1)
    if let index = object.index {
      guard !ancestors.contains(index) else { throw error(.cyclic) }
      ancestors.append(index)
    }
    depth += 1
    guard depth <= ExpressionParser.depthLimit else {
      throw error(.tooDeep(limit: ExpressionParser.depthLimit))
    }
  }

  /// Counts uses of objects.
  mutating func count(_ uses: Int) throws(ExpressionArchiveError) {
    objectCount += uses
    guard objectCount <= Self.objectLimit else { throw error(.tooLarge(limit: Self.objectLimit)) }
  }

  mutating func leave(_ object: ArchivedObject) {
    if object.index != nil { ancestors.removeLast() }
    depth -= 1
  }

  mutating func step(to key: String) { place.append(key) }

  mutating func stepBack() { place.removeLast() }

  func error(_ reason: ExpressionArchiveError.Reason) -> ExpressionArchiveError {
    ExpressionArchiveError(place: place.joined(separator: "."), reason: reason)
  }

  func error(
    _ reason: ExpressionArchiveError.Reason,
    at key: String
  ) -> ExpressionArchiveError {
    ExpressionArchiveError(place: (place + [key]).joined(separator: "."), reason: reason)
  }

  func string(_ key: String, of object: ArchivedObject) throws(ExpressionArchiveError) -> String {
    guard let value = object[key] else { throw error(.missing, at: key) }
    guard let text = value.string else { throw error(.wrongKind(expected: "a string"), at: key) }
    return text
  }

  /// The integer of a key; `nil` if the object lacks the key.
  func integer(_ key: String, of object: ArchivedObject) throws(ExpressionArchiveError) -> Int64? {
    guard let value = object[key] else { return nil }
    guard let integer = value.integer else {
      throw error(.wrongKind(expected: "an integer"), at: key)
    }
    return integer
  }

  func number(_ key: String, of object: ArchivedObject) throws(ExpressionArchiveError) -> Int64 {
    guard let number = try integer(key, of: object) else { throw error(.missing, at: key) }
    return number
  }

  func elements(
    _ key: String,
    of object: ArchivedObject
  ) throws(ExpressionArchiveError) -> [ArchivedObject?] {
    guard let value = object[key] else { throw error(.missing, at: key) }
    guard let elements = value.elements else {
      throw error(.wrongKind(expected: "a collection"), at: key)
    }
    return elements
  }

  mutating func expression(
    _ key: String,
    of object: ArchivedObject
  ) throws(ExpressionArchiveError) -> ValueExpression {
    try part(object[key], at: key) { decoder, part throws(ExpressionArchiveError) in
      try decoder.expression(part)
    }
  }

  /// The expressions of an array; a missing expression is an error.
  mutating func expressions(
    _ key: String,
    of object: ArchivedObject
  ) throws(ExpressionArchiveError) -> [ValueExpression] {
    try parts(key, of: object) { decoder, part throws(ExpressionArchiveError) in
      try decoder.expression(part)
    }
  }

  /// Decodes the elements of a collection; none may be missing.
  mutating func parts<Part>(
    _ key: String,
    of object: ArchivedObject,
    _ decode: (inout Self, ArchivedObject) throws(ExpressionArchiveError) -> Part
  ) throws(ExpressionArchiveError) -> [Part] {
    var parts: [Part] = []
    for (index, element) in try elements(key, of: object).enumerated() {
      parts.append(try part(element, at: "\(key)[\(index)]", decode))
    }
    return parts
  }

  /// Decodes an object at a key, which must not be missing.
  mutating func part<Part>(
    _ object: ArchivedObject?,
    at key: String,
    _ decode: (inout Self, ArchivedObject) throws(ExpressionArchiveError) -> Part
  ) throws(ExpressionArchiveError) -> Part {
    step(to: key)
    guard let object else { throw error(.missing) }
    let part = try decode(&self, object)
    stepBack()
    return part
  }
}

extension ExpressionDecoder {
  mutating func constant(
    _ object: ArchivedObject
  ) throws(ExpressionArchiveError) -> ValueExpression {
    if let value = object["NSConstantValue"] {
      step(to: "NSConstantValue")
      let constant = try constant(value: value)
      stepBack()
      return constant
    }
    guard object["NSConstantValueClassName"] != nil else { return .constant(.null) }
    return .classConstant(try string("NSConstantValueClassName", of: object))
  }

  /// A constant; a constant collection becomes an aggregate of its elements.
  private mutating func constant(
    value: ArchivedObject
  ) throws(ExpressionArchiveError) -> ValueExpression {
    if let constant = value.attributeValue { return .constant(constant) }
    if value.isKind(of: "NSNull") { return .constant(.null) }
    switch value.plainValue {
    case .null?: return .constant(.null)
    case .unsigned?: throw error(.wrongKind(expected: "a number that fits 64 signed bits"))
    case .uid?, .dictionary?: throw error(.wrongKind(expected: "a constant"))
    case .boolean?, .integer?, .real?, .date?, .data?, .string?, .array?, nil:
      return try collection(value)
    }
  }

  private mutating func collection(
    _ value: ArchivedObject
  ) throws(ExpressionArchiveError) -> ValueExpression {
    guard let elements = value.elements else {
      throw error(.unknownClass(value.className ?? "of nothing", expected: "a constant"))
    }
    try enter(value)
    try count(elements.count)
    var constants: [ValueExpression] = []
    for (index, element) in elements.enumerated() {
      step(to: "[\(index)]")
      if let element {
        constants.append(try constant(value: element))
      } else {
        constants.append(.constant(.null))
      }
      stepBack()
    }
    leave(value)
    return .aggregate(constants)
  }
}

/// Why an archive holds no expression or predicate, and where.
package struct ExpressionArchiveError: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    case notAnArchive(String)
    case missing
    case wrongKind(expected: String)
    case unknownClass(String, expected: String)
    case unknownNumber(Int64)
    case emptyKey
    case cyclic
    case tooDeep(limit: Int)
    /// There are more objects than allowed, counting each use.
    case tooLarge(limit: Int)
  }

  /// The keys from the root to the error, as in `root.NSArguments[1].NSOperand`.
  package let place: String
  package let reason: Reason
}

extension ExpressionArchiveError: CustomStringConvertible {
  /// The position and the error in one line.
  package var description: String { "\(place): \(reason)" }
}

extension ExpressionArchiveError.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notAnArchive(let reason): reason
    case .missing: "a value is missing"
    case .wrongKind(let expected): "this is not \(expected)"
    case .unknownClass(let name, let expected): "class \(name) is not \(expected) that is known"
    case .unknownNumber(let number): "\(number) has no meaning here"
    case .emptyKey: "a key of the key path is empty"
    case .cyclic: "the object leads to itself"
    case .tooDeep(let limit): "more than \(limit) objects are nested"
    case .tooLarge(let limit): "more than \(limit) objects are used"
    }
  }
}

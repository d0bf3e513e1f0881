import BulkSupport

/// A part of the archive of an expression, with its location and the objects that contain it.
struct ExpressionArchivePart {
  /// The object limit; the largest expression found in 261 mapping models has 13.
  static let objectLimit = 10_000

  /// The uses of objects so far.
  ///
  /// Objects may be shared, so an archive of a few bytes may describe a tree that exhausts memory.
  private final class Uses { var count = 0 }

  let object: ArchivedObject?
  private let location: String
  private var ancestors: [Int?] = []
  private let uses: Uses

  init(root: ArchivedObject) {
    object = root
    location = "root"
    uses = Uses()
  }

  private init(_ object: ArchivedObject?, at location: String, in parent: Self) {
    self.object = object
    self.location = parent.location + location
    ancestors = parent.ancestors
    uses = parent.uses
  }

  subscript(key: String) -> Self { Self(object?[key], at: "." + key, in: self) }

  func error(_ reason: String) -> ExpressionArchiveError {
    ExpressionArchiveError(location: location, reason: reason)
  }

  func present() throws(ExpressionArchiveError) -> ArchivedObject {
    guard let object else { throw error("a value is missing") }
    return object
  }

  func text() throws(ExpressionArchiveError) -> String {
    guard let text = try present().string else { throw error("this is not a string") }
    return text
  }

  func integer() throws(ExpressionArchiveError) -> Int64 {
    guard let integer = try present().integer else {
      throw error("this is not an integer")
    }
    return integer
  }

  func meaning<Meaning: RawRepresentable<Int64>>() throws(ExpressionArchiveError) -> Meaning {
    let number = try integer()
    guard let meaning = Meaning(rawValue: number) else {
      throw error("\(number) has no meaning here")
    }
    return meaning
  }

  /// The elements of a collection, at positions after a separator.
  func elements(after separator: String = "") throws(ExpressionArchiveError) -> [Self] {
    guard let elements = try present().elements else {
      throw error("this is not a collection")
    }
    return elements.enumerated().map { Self($1, at: "\(separator)[\($0)]", in: self) }
  }

  func known<Class: RawRepresentable<String>>(
    _ expected: String
  ) throws(ExpressionArchiveError) -> Class {
    let object = try present()
    if let known = object.classNames.lazy.compactMap(Class.init).first { return known }
    guard let name = object.className else { throw error("this is not \(expected)") }
    throw error("class \(name) is not \(expected) that is known")
  }

  /// The part, with its object among those that contain its own parts.
  func entered(using count: Int = 0) throws(ExpressionArchiveError) -> Self {
    try use(1)
    var inner = self
    let index = object?.index
    guard index == nil || !ancestors.contains(index) else {
      throw error("the object leads to itself")
    }
    inner.ancestors.append(index)
    let limit = ExpressionParser.depthLimit
    guard inner.ancestors.count <= limit else {
      throw error("more than \(limit) objects are nested")
    }
    try use(count)
    return inner
  }

  private func use(_ count: Int) throws(ExpressionArchiveError) {
    uses.count += count
    guard uses.count <= Self.objectLimit else {
      throw error("more than \(Self.objectLimit) objects are used")
    }
  }
}

package struct ExpressionArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The keys from the root to the error, as in `root.NSArguments[1].NSOperand`.
  package let location: String
  package let reason: String

  package var description: String { "\(location): \(reason)" }
}

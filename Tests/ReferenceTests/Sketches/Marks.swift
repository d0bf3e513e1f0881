/// The attributes by which an object tells what became of it.
///
/// `n` is a number for filters. `text` is unique among the objects of a source; every step copies it.
/// `made1`, `made2` and so on tell the entity mapping of every step. `loud` is the text again, which a
/// migration may compute by an expression that SQL cannot say.
struct Marks: Hashable, Sendable {
  var text: String
  /// The names of the mappings that made the object, step by step.
  var makers: [String] = []

  /// The names of the attributes that tell the makers of an object after some steps.
  static func makers(after steps: Int) -> [String] { (0..<steps).map { "made\($0 + 1)" } }
}

extension Marks: CustomStringConvertible {
  var description: String { ([text] + makers).joined(separator: " by ") }
}

extension Marks: Comparable {
  static func < (one: Marks, other: Marks) -> Bool { one.description < other.description }
}

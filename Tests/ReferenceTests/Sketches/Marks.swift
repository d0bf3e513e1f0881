/// The attributes by which an object tells what became of it.
///
/// `n` is a number for filters. `text` is unique among the objects of a source; the step copies it. `maker` tells the entity
/// mapping. `loud` is the text again, which a migration may compute by an expression that SQL cannot say.
struct Marks: Hashable, Sendable {
  var text: String
  /// The name of the mapping that made the object.
  var maker: String?
}

extension Marks: CustomStringConvertible {
  var description: String { maker.map { "\(text) by \($0)" } ?? text }
}

extension Marks: Comparable {
  static func < (one: Marks, other: Marks) -> Bool { one.description < other.description }
}

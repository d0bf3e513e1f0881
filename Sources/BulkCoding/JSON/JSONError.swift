/// Why a text is no JSON, and where.
package struct JSONError: Error, Hashable, Sendable {
  /// Where.
  package let position: TextPosition
  /// What is wrong.
  package let reason: String
}

extension JSONError: CustomStringConvertible {
  /// The place and the fault in one line.
  package var description: String { "\(position): \(reason)" }
}

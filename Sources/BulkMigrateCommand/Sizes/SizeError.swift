import BulkCoding

/// Why a text was not taken for a size.
enum SizeError: Error, Equatable {
  /// The text is not a number with a unit that is known.
  case notASize(String)
  /// The text is a small number without a unit.
  case withoutUnit(String, meaning: ByteCount)
  /// The size does not fit into 64 bits.
  case tooLarge(String)
  /// The size is zero.
  case nothing(String)
  /// The percentage is zero, or more than 100.
  case notAShare(String)
}

extension SizeError: CustomStringConvertible {
  var description: String {
    switch self {
    case .notASize(let text):
      "'\(text)' is not a size; try 512M, 1.5G or 25%"
    case .withoutUnit(let text, let meaning):
      "'\(text)' has no unit and would be \(meaning); try \(text)M"
    case .tooLarge(let text):
      "'\(text)' is more than a file or a memory can hold; try 512M or 1.5G"
    case .nothing(let text):
      "'\(text)' is nothing at all; try 512M, 1.5G or 25%"
    case .notAShare(let text):
      "'\(text)' is not above 0% and at most 100%; try 25%"
    }
  }
}

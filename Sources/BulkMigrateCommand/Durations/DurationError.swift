/// Why a text was not taken for a time.
enum DurationError: Error, Equatable {
  /// The text is not made of numbers with units, the largest unit first.
  case notADuration(String)
  /// The time is longer than a hundred years.
  case tooLong(String)
}

extension DurationError: CustomStringConvertible {
  var description: String {
    switch self {
    case .notADuration(let text): "'\(text)' is not a time; try 500ms, 15s, 5m or 1h30m"
    case .tooLong(let text): "'\(text)' is more than a hundred years; try 5m or 1h30m"
    }
  }
}

internal import BulkSupport
internal import BulkModel

/// A pattern of `LIKE` or `MATCHES`, prepared for matching many texts.
struct TextPattern {
  private enum Form {
    case like([Wildcard])
    case regularExpression(RegularExpression)
  }

  private enum Wildcard: Equatable {
    case scalar(Unicode.Scalar)
    case one
    case any
  }

  private let form: Form
  private let options: ValuePredicate.Options

  /// A pattern in which `?` stands for one Unicode scalar and `*` for any number of them; a backslash
  /// escapes the next character.
  init(like pattern: String, _ options: ValuePredicate.Options) {
    self.options = options
    var parts: [Wildcard] = []
    var isEscaped = false
    for scalar in TextComparing.folded(pattern, options).unicodeScalars {
      switch scalar {
      case _ where isEscaped:
        parts.append(.scalar(scalar))
        isEscaped = false
      case "\\": isEscaped = true
      case "?": parts.append(.one)
      case "*": if parts.last != .any { parts.append(.any) }
      default: parts.append(.scalar(scalar))
      }
    }
    if isEscaped { parts.append(.scalar("\\")) }
    form = .like(parts)
  }

  init(
    regularExpression pattern: String,
    _ options: ValuePredicate.Options
  ) throws(RegularExpressionFault) {
    self.options = options.intersection(.diacriticInsensitive)
    form = .regularExpression(
      try RegularExpression(
        TextComparing.folded(pattern, self.options),
        isCaseInsensitive: options.contains(.caseInsensitive)
      )
    )
  }

  /// Whether the whole text matches; `false` once the watch stops.
  func matches(_ text: String, _ watch: WorkWatch) throws(RegularExpressionFault) -> Bool {
    let text = TextComparing.folded(text, options)
    switch form {
    case .like(let parts): return Self.matches(Array(text.unicodeScalars), parts, watch)
    case .regularExpression(let expression): return try expression.matchesWhole(text, watch)
    }
  }

  /// Matches text and pattern in parallel; after a mismatch, the last `*` takes one more scalar.
  private static func matches(
    _ text: [Unicode.Scalar],
    _ parts: [Wildcard],
    _ watch: WorkWatch
  ) -> Bool {
    var position = 0
    var part = 0
    var lastAny: (part: Int, position: Int)?
    while position < text.count {
      if watch.isStopped(after: 1) { return false }
      if part < parts.count, parts[part] == .one || parts[part] == .scalar(text[position]) {
        part += 1
        position += 1
      } else if part < parts.count, parts[part] == .any {
        lastAny = (part, position)
        part += 1
      } else if let any = lastAny {
        lastAny = (any.part, any.position + 1)
        part = any.part + 1
        position = any.position + 1
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .any }
  }
}

/// A place in a text, with what conditions need to know of the text around it.
struct TextWindow {
  private var rest: String.UnicodeScalarView.Iterator
  private var previous: Unicode.Scalar?
  /// The scalar behind the place.
  private(set) var current: Unicode.Scalar?
  private var next: Unicode.Scalar?
  private var afterNext: Unicode.Scalar?
  /// Whether the last scalar before the place that is not put onto another one is of a word.
  private var isAfterWord = false

  init(_ text: String) {
    rest = text.unicodeScalars.makeIterator()
    current = rest.next()
    next = rest.next()
    afterNext = rest.next()
  }

  /// Goes over one scalar.
  mutating func advance() {
    if let current, !current.isPutOntoAnother { isAfterWord = current.isOfWord }
    (previous, current, next) = (current, next, afterNext)
    afterNext = rest.next()
  }

  func satisfies(_ assertion: Automaton.Assertion) -> Bool {
    switch assertion {
    case .textStart: previous == nil
    case .textEnd: current == nil
    case .lastLineEnd(let onlyLineFeeds): isAtLastLineEnd(onlyLineFeeds: onlyLineFeeds)
    case .lineStart(let onlyLineFeeds): isAtLineStart(onlyLineFeeds: onlyLineFeeds)
    case .lineEnd(let onlyLineFeeds): isAtLineEnd(onlyLineFeeds: onlyLineFeeds)
    case .wordBoundary: isAtWordBoundary
    case .noWordBoundary: !isAtWordBoundary
    }
  }

  private func isAtLastLineEnd(onlyLineFeeds: Bool) -> Bool {
    guard isAtLineEnd(onlyLineFeeds: onlyLineFeeds) else { return false }
    return next == nil || !onlyLineFeeds && current == "\r" && next == "\n" && afterNext == nil
  }

  /// A line begins behind every line break but one at the end of the text.
  private func isAtLineStart(onlyLineFeeds: Bool) -> Bool {
    guard let previous else { return true }
    return current != nil && previous.endsLine(onlyLineFeeds: onlyLineFeeds)
  }

  private func isAtLineEnd(onlyLineFeeds: Bool) -> Bool {
    guard let current else { return true }
    guard current.endsLine(onlyLineFeeds: onlyLineFeeds) else { return false }
    return onlyLineFeeds || !(previous == "\r" && current == "\n")
  }

  private var isAtWordBoundary: Bool {
    guard let current else { return isAfterWord }
    return !current.isPutOntoAnother && current.isOfWord != isAfterWord
  }
}

extension Unicode.Scalar {
  func endsLine(onlyLineFeeds: Bool) -> Bool {
    onlyLineFeeds ? self == "\n" : ScalarProperty.lineEnd.contains(self)
  }

  fileprivate var isOfWord: Bool { ScalarProperty.word.contains(self) }

  fileprivate var isPutOntoAnother: Bool {
    value >= 0x80 && (properties.isGraphemeExtend || properties.generalCategory == .format)
  }
}

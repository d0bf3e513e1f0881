/// Swift source with its comments, and if wished its strings, replaced by spaces.
///
/// Line breaks stay, so that lines keep their numbers. It knows nested comments, strings over several
/// lines, raw strings and interpolations; a string that is not closed ends with its line.
struct SwiftText {
  /// The source without comments.
  private(set) var withoutComments: [Character] = []
  /// The source without comments and without the text of strings.
  private(set) var code: [Character] = []

  private let source: [Character]
  private var position = 0

  init(_ source: String) {
    self.source = Array(source)
    readCode(untilParenthesis: false)
  }

  private mutating func readCode(untilParenthesis: Bool) {
    var depth = 0
    while position < source.count {
      if starts(with: "//") {
        while position < source.count, !source[position].isNewline { blankComment() }
      } else if starts(with: "/*") {
        readBlockComment()
      } else if let hashes = hashesBeforeString() {
        readString(hashes: hashes)
      } else {
        if starts(with: "(") { depth += 1 }
        if starts(with: ")") { depth -= 1 }
        keep()
        if untilParenthesis, depth == 0 { return }
      }
    }
  }

  private mutating func readBlockComment() {
    var depth = 0
    repeat {
      let step = starts(with: "/*") ? 1 : starts(with: "*/") ? -1 : 0
      depth += step
      blankComment()
      if step != 0 { blankComment() }
    } while depth > 0 && position < source.count
  }

  private mutating func readString(hashes: String) {
    for _ in hashes { keep() }
    let quote = starts(with: "\"\"\"") ? "\"\"\"" : "\""
    for _ in quote { keep() }
    while position < source.count {
      if starts(with: quote + hashes) {
        for _ in quote + hashes { keep() }
        return
      }
      if quote == "\"", source[position].isNewline { return }
      if starts(with: "\\" + hashes + "(") {
        for _ in "\\" + hashes { blankString() }
        readCode(untilParenthesis: true)
      } else {
        if starts(with: "\\" + hashes) { for _ in "\\" + hashes { blankString() } }
        blankString()
      }
    }
  }

  /// The number signs before the quote of a string that begins here, or `nil` if none does.
  private func hashesBeforeString() -> String? {
    let hashes = source[position...].prefix { $0 == "#" }
    let quote = position + hashes.count
    return quote < source.count && source[quote] == "\"" ? String(hashes) : nil
  }

  private func starts(with text: String) -> Bool {
    source[position...].starts(with: text)
  }

  private mutating func keep() {
    withoutComments.append(source[position])
    code.append(source[position])
    position += 1
  }

  private mutating func blankString() {
    guard position < source.count else { return }
    withoutComments.append(source[position])
    code.append(source[position].isNewline ? source[position] : " ")
    position += 1
  }

  private mutating func blankComment() {
    guard position < source.count else { return }
    let blank = source[position].isNewline ? source[position] : " "
    withoutComments.append(blank)
    code.append(blank)
    position += 1
  }
}

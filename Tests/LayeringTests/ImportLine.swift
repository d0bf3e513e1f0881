/// An import declaration of a Swift file.
struct ImportLine: Equatable {
  let module: String
  /// The line, counted from 1, on which the module's name stands.
  let line: Int

  /// The import declarations of a source text.
  ///
  /// `import` is a reserved word, so whatever stands before it (access, attributes, a condition's
  /// lines) does not matter. Of `import struct Foundation.Data` the module is `Foundation`.
  static func all(in source: String) -> [ImportLine] {
    let kinds: Set = ["class", "enum", "func", "let", "protocol", "struct", "typealias", "var"]
    var imports: [ImportLine] = []
    var isExpected = false
    for (index, line) in lines(of: source).enumerated() {
      for word in line.split(whereSeparator: { $0.isWhitespace || $0 == ";" }) {
        if word == "import" {
          isExpected = true
        } else if isExpected, !kinds.contains(String(word)) {
          let module = word.prefix { $0 != "." }.filter { $0 != "`" }
          imports.append(ImportLine(module: module, line: index + 1))
          isExpected = false
        }
      }
    }
    return imports
  }

  private static func lines(of source: String) -> [Substring] {
    String(SwiftText(source).code).split(
      omittingEmptySubsequences: false,
      whereSeparator: \.isNewline
    )
  }
}

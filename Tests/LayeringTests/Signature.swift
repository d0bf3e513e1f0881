/// A function or an initializer as it is declared: its name, and what callers write before each argument.
struct Signature: CustomStringConvertible {
  /// A parameter.
  struct Parameter {
    /// The label, `_` for none.
    let label: String
    let type: String
  }

  let name: String
  let parameters: [Parameter]

  var description: String {
    name + "(" + parameters.map { "\($0.label): \($0.type)" }.joined(separator: ", ") + ")"
  }

  /// The number of parameters without a label.
  var unlabelledCount: Int { parameters.count { $0.label == "_" } }

  /// Whether a call shows a boolean without a word for it; the name of a function may be that word.
  var hidesBoolean: Bool {
    name != "boolean"
      && parameters.contains { $0.label == "_" && ["Bool", "Bool?"].contains($0.type) }
  }

  /// All signatures of a source, those of closures and enumeration cases left out.
  static func all(in source: String) -> [Signature] {
    var found: [Signature] = []
    var open: (name: String, text: String)?
    for line in source.split(separator: "\n") {
      let code = code(of: line)
      if let begun = open {
        open = (begun.name, begun.text + " " + code)
      } else if code.contains("func ") || code.contains("init"),
        let match = code.firstMatch(of: declaration)
      {
        open = (match.1.map(String.init) ?? "init", String(code[match.range.upperBound...]))
      }
      guard let begun = open, let list = closed(begun.text) else { continue }
      found.append(Signature(name: begun.name, parameters: parts(of: list).compactMap(parameter)))
      open = nil
    }
    return found
  }

  private static var declaration: Regex<(Substring, Substring?)> {
    #/^(?:(?:@?\w+(?:\(\w+\))?) )*(?:func ([^\s(<]+)|init)[?!]?(?:<[^>]*>)?\(/#
  }

  /// A line without its comment and the space around it.
  private static func code(of line: Substring) -> String {
    let end = line.firstRange(of: "//")?.lowerBound ?? line.endIndex
    let code = line[..<end].drop { $0 == " " }
    return String(code.reversed().drop { $0 == " " }.reversed())
  }

  /// What comes before the parenthesis that closes a list; `nil` if it is not there yet.
  private static func closed(_ text: String) -> Substring? {
    var depth = 1
    for index in text.utf8.indices {
      switch text.utf8[index] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      default: continue
      }
      if depth == 0 { return text[..<index] }
    }
    return nil
  }

  /// The parts of a list between commas outside of parentheses and brackets.
  private static func parts(of list: Substring) -> [Substring] {
    var parts: [Substring] = []
    var (depth, start, last) = (0, list.startIndex, UInt8(0))
    for index in list.utf8.indices {
      let byte = list.utf8[index]
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "<"): depth += 1
      case UInt8(ascii: ">") where last == UInt8(ascii: "-"): break
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ">"): depth -= 1
      case UInt8(ascii: ",") where depth == 0:
        parts.append(list[start..<index])
        start = list.utf8.index(after: index)
      default: break
      }
      last = byte
    }
    return parts + [list[start...]]
  }

  private static func parameter(_ part: Substring) -> Parameter? {
    guard let colon = part.firstIndex(of: ":"),
      let label = part[..<colon].split(separator: " ").first
    else { return nil }
    let type = part[colon...].dropFirst().split(separator: "=", maxSplits: 1).first ?? ""
    let words = type.split(separator: " ").filter { $0 != "inout" && !$0.hasPrefix("@") }
    return Parameter(label: String(label), type: words.joined(separator: " "))
  }
}

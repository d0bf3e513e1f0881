/// The texts of the program: what its commands, operands and options are for, and examples.
///
/// ```text
/// # COMMAND: its summary
/// Its explanation.
/// $ a command line
///   its purpose
/// - OPERAND: its help
/// Input:
/// * -o, --output FILE: the help of an option that -h shows, too
/// - --markdown: that of another one
/// ```
///
/// Indented lines continue the line before them. What several commands of a group share is explained by the group, and
/// what others share by the program.
struct Manual: Sendable {
  typealias Example = (words: String, purpose: String)

  struct Entry: Sendable {
    var name = ""
    var short: Character?
    var placeholder: String?
    var help = ""
    var group = "Advanced"
    var isOfEveryDay = false
  }

  struct Section: Sendable {
    var summary = ""
    var explanation = ""
    var examples: [Example] = []
    var entries: [Entry] = []
  }

  static let program = Manual(storeCommands + "\n\n" + otherCommands)
  static let name = "bulkmigrate"
  static let groups = ["Input", "What may be lost", "Limits", "Output", "Advanced"]

  private var sections: [String: Section] = [:]

  /// It reads bytes, since every start of the program does.
  init(_ text: String) {
    var (name, group, section) = (Self.name, "", Section())
    var continued = Continued.nothing
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      let rest = line.dropFirst(2)
      switch Mark(line) {
      case .command:
        sections[name] = section
        let parts = Self.parts(rest)
        (name, group, section) = (parts.name, "", Section(summary: parts.text))
        continued = .nothing
      case .example:
        section.examples.append((String(Substring(rest)), ""))
        continued = .example
      case .entry(let isOfEveryDay):
        section.entries.append(Entry(rest, group, isOfEveryDay))
        continued = .entry
      case .text where continued != .nothing && line.first == UInt8(ascii: " "):
        section.add(String(Substring(line.drop { $0 == UInt8(ascii: " ") })), to: continued)
      case .text:
        if line.last == UInt8(ascii: ":"), !section.explanation.isEmpty {
          group = String(Substring(line.dropLast()))
        } else {
          section.explanation.append(line: String(Substring(line)))
        }
      }
    }
    sections[name] = section
  }

  subscript(name: String) -> Section { sections[name] ?? Section() }

  func entry(_ name: String, of command: String) -> Entry? {
    let group = command.split(separator: " ").first.map(String.init) ?? ""
    return [command, group, Self.name].lazy
      .compactMap { self[$0].entries.first { $0.name == name } }.first
  }

  /// What is before the first colon with a space, and what is behind it.
  fileprivate static func parts(_ line: Substring.UTF8View) -> (name: String, text: String) {
    var place = line.startIndex
    while let colon = line[place...].firstIndex(of: UInt8(ascii: ":")) {
      place = line.index(after: colon)
      guard place < line.endIndex else { return (String(Substring(line[..<colon])), "") }
      if line[place] == UInt8(ascii: " ") {
        let text = line[line.index(after: place)...]
        return (String(Substring(line[..<colon])), String(Substring(text)))
      }
    }
    return (String(Substring(line)), "")
  }
}

/// What an indented line continues.
private enum Continued { case nothing, example, entry }

/// What the beginning of a line says that the line is.
private enum Mark {
  case command
  case example
  case entry(isOfEveryDay: Bool)
  case text

  init(_ line: Substring.UTF8View) {
    guard line.dropFirst().first == UInt8(ascii: " ") else {
      self = .text
      return
    }
    self =
      switch line.first {
      case UInt8(ascii: "#"): .command
      case UInt8(ascii: "$"): .example
      case UInt8(ascii: "*"): .entry(isOfEveryDay: true)
      case UInt8(ascii: "-"): .entry(isOfEveryDay: false)
      default: .text
      }
  }
}

extension String {
  /// Adds the text of another line.
  fileprivate mutating func append(line: String) {
    if !isEmpty { self += " " }
    self += line
  }
}

extension Manual.Section {
  fileprivate mutating func add(_ line: String, to continued: Continued) {
    switch continued {
    case .nothing: break
    case .example: examples[examples.count - 1].purpose.append(line: line)
    case .entry: entries[entries.count - 1].help.append(line: line)
    }
  }
}

extension Manual.Entry {
  fileprivate init(_ line: Substring.UTF8View, _ group: String, _ isOfEveryDay: Bool) {
    let parts = Manual.parts(line)
    self.init(help: parts.text, group: group, isOfEveryDay: isOfEveryDay)
    for word in parts.name.split(separator: " ") {
      if word.hasPrefix("--") {
        name = String(word.dropFirst(2))
      } else if word.hasSuffix(",") {
        short = word.dropFirst().first
      } else if name.isEmpty {
        name = String(word)
      } else {
        placeholder = String(word)
      }
    }
  }
}

/// The commands of the program as a text: the operands and options that each takes, what they are for, and examples.
///
/// ```text
/// # COMMAND OPERAND [OPTIONAL] MANY…: its summary
/// Its explanation.
/// $ a command line
///   its purpose
/// - OPERAND: its help
/// Input:
/// * -o, --output FILE: the help of an option that -h shows, too
/// - --markdown: that of another one
/// = --policy --mapping
/// = plan: --models --to
/// ! --plan --mapping
/// & --into --folder
/// ```
///
/// Indented lines continue the line before them. What follows `=` is explained elsewhere: by the group of the command, by
/// the program, or by the command that is named. What follows `!` excludes each word behind it, an option or an operand;
/// what follows `&` has no effect without the next word. Options are in the order of help.
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
    var operands: [String] = []
    /// The options by their names, with the command that explains it where that is another one.
    var options: [(name: String, home: String?)] = []
    var exclusions: [[String]] = []
    var needs: [[String]] = []
    var explanation = ""
    var examples: [Example] = []
    var entries: [Entry] = []
  }

  static let program = Manual(storeCommands + "\n\n" + otherCommands)
  static let name = "bulkmigrate"
  static let groups = ["Input", "What may be lost", "Limits", "Output", "Advanced"]

  private var sections: [String: Section] = [:]

  init(_ text: String) {
    var (name, group, section) = (Self.name, "", Section())
    for line in text.utf8.split(separator: UInt8(ascii: "\n")).map(Substring.init) {
      let rest = line.dropFirst(2)
      switch String(line.prefix(2)) {
      case "# ":
        sections[name] = section
        let (head, summary) = Self.parts(rest)
        let words = head.split(separator: " ").map(String.init)
        let names = words.prefix { $0.first?.isLowercase == true }
        (name, group) = (names.joined(separator: " "), "")
        section = Section(summary: summary, operands: Array(words.dropFirst(names.count)))
      case "$ ": section.examples.append((String(rest), ""))
      case "* ", "- ":
        let entry = Entry(rest, group, isOfEveryDay: line.first == "*")
        section.entries.append(entry)
        if rest.first == "-" { section.options.append((entry.name, nil)) }
      case "! ": section.exclusions.append(rest.split(separator: " ").map(String.init))
      case "& ": section.needs.append(rest.split(separator: " ").map(String.init))
      case "= ":
        let (home, names) = Self.parts(rest)
        for word in (names.isEmpty ? home : names[...]).split(separator: " ") {
          section.options.append((String(word.dropFirst(2)), names.isEmpty ? nil : String(home)))
        }
      case "  " where section.entries.isEmpty:
        section.examples[section.examples.count - 1].purpose.append(line: line)
      case "  ": section.entries[section.entries.count - 1].help.append(line: line)
      default:
        if line.last == ":", !section.explanation.isEmpty {
          group = String(line.dropLast())
        } else {
          section.explanation.append(line: line)
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

  /// What is before the first colon that a space follows or that ends the line, and what is behind it.
  fileprivate static func parts(_ line: Substring) -> (name: Substring, text: String) {
    for colon in line.utf8.indices where line.utf8[colon] == UInt8(ascii: ":") {
      let rest = line[line.utf8.index(after: colon)...]
      if rest.first.map({ $0 == " " }) ?? true { return (line[..<colon], String(rest.dropFirst())) }
    }
    return (line, "")
  }
}

extension String {
  /// Adds the text of another line.
  fileprivate mutating func append(line: Substring) {
    if !isEmpty { self += " " }
    self += line.drop { $0 == " " }
  }
}

extension Manual.Entry {
  fileprivate init(_ line: Substring, _ group: String, isOfEveryDay: Bool) {
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

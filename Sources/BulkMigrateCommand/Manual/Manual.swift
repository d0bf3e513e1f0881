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

  init(_ text: String) {
    var (name, group, section) = (Self.name, "", Section())
    /// The text that an indented line continues.
    var last: WritableKeyPath<Section, String>?
    for line in text.split(separator: "\n") {
      if line.hasPrefix("# ") {
        sections[name] = section
        let parts = Self.parts(line.dropFirst(2))
        (name, group, section, last) = (parts[0], "", Section(summary: parts[1]), nil)
      } else if line.hasPrefix("$ ") {
        section.examples.append((String(line.dropFirst(2)), ""))
        last = \.examples[section.examples.count - 1].purpose
      } else if line.hasPrefix("* ") || line.hasPrefix("- ") {
        section.entries.append(Entry(line, group))
        last = \.entries[section.entries.count - 1].help
      } else if let last, line.hasPrefix(" ") {
        let text = section[keyPath: last]
        section[keyPath: last] += (text.isEmpty ? "" : " ") + line.drop { $0 == " " }
      } else if line.hasSuffix(":"), !section.explanation.isEmpty {
        group = String(line.dropLast())
      } else {
        section.explanation += (section.explanation.isEmpty ? "" : " ") + line
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

  fileprivate static func parts(_ line: Substring) -> [String] {
    let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
    return parts.count == 2
      ? parts : [line.hasSuffix(":") ? String(line.dropLast()) : parts[0], ""]
  }
}

extension Manual.Entry {
  fileprivate init(_ line: Substring, _ group: String) {
    let parts = Manual.parts(line.dropFirst(2))
    self.init(help: parts[1], group: group, isOfEveryDay: line.hasPrefix("*"))
    for word in parts[0].split(separator: " ") {
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

/// What lays out an explanation: as help on a terminal, or as a manual page.
protocol HelpLayout {
  /// Adds a paragraph.
  mutating func addParagraph(_ text: String)

  /// Adds a section of commands to type, each with its purpose.
  mutating func addExamples(_ examples: [Example])

  /// Adds a section of names with their explanations.
  mutating func addList(_ title: String, _ items: [(name: String, explanation: String)])

  /// Adds a section of expressions with their values, which are never broken.
  mutating func addValues(_ title: String, _ examples: [(expression: String, value: String)])

  /// Adds a section of lines that stay as they are.
  mutating func addLines(_ title: String, _ lines: [String])
}

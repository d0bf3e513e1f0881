/// One option of a command: its names, its help, and its effect on the command's arguments.
struct OptionRow<Arguments>: Sendable {
  /// Sets the value in the arguments; errors are reported with the option's name.
  typealias Setter = @Sendable (inout Arguments, String) throws -> Void

  let name: String
  let short: Character?
  /// The placeholder of the value in the help; `nil` if the option takes none.
  let placeholder: String?
  let help: String
  let isRepeatable: Bool
  private(set) var environmentName: String?
  /// The words of which the value is one; empty where it is anything.
  private(set) var words: [String] = []
  let set: Setter

  /// An option with a value.
  static func value(
    _ name: String,
    short: Character? = nil,
    _ placeholder: String,
    _ help: String,
    set: @escaping Setter
  ) -> OptionRow {
    OptionRow(
      name: name,
      short: short,
      placeholder: placeholder,
      help: help,
      isRepeatable: false,
      set: set
    )
  }

  /// An option with a value that may be given repeatedly; its setter is called each time.
  static func values(
    _ name: String,
    short: Character? = nil,
    _ placeholder: String,
    _ help: String,
    add: @escaping Setter
  ) -> OptionRow {
    OptionRow(
      name: name,
      short: short,
      placeholder: placeholder,
      help: help,
      isRepeatable: true,
      set: add
    )
  }

  /// An option without a value.
  static func flag(
    _ name: String,
    short: Character? = nil,
    _ help: String,
    set: @escaping @Sendable (inout Arguments) -> Void
  ) -> OptionRow {
    OptionRow(name: name, short: short, placeholder: nil, help: help, isRepeatable: false) {
      arguments,
      _ in
      set(&arguments)
    }
  }

  /// The same option, which `BULKMIGRATE_<NAME>` sets if the command line does not.
  ///
  /// `1` sets a flag, and `0` does not. An empty variable counts as none.
  var orEnvironment: OptionRow {
    var row = self
    row.environmentName =
      "BULKMIGRATE_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    return row
  }

  /// The same option, whose value is one of some words, which a shell can complete.
  func among(_ words: [String]) -> OptionRow {
    var row = self
    row.words = words
    return row
  }

  /// The full form of the option, `--name`.
  var longForm: String { "--\(name)" }

  private init(
    name: String,
    short: Character?,
    placeholder: String?,
    help: String,
    isRepeatable: Bool,
    set: @escaping Setter
  ) {
    self.name = name
    self.short = short
    self.placeholder = placeholder
    self.help = help
    self.isRepeatable = isRepeatable
    self.set = set
  }
}

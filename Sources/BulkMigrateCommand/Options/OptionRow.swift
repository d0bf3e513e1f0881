internal import BulkCoding

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
  /// The words of which the value is one; empty where it is anything.
  private(set) var words: [String] = []
  /// The value without any; `nil` where there is none, or where it depends.
  private(set) var usual: String?
  /// Why a file of settings may not set it; `nil` if it may.
  private(set) var refusedInFile: String?
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

  /// An option without a value that counts how often it is given; its setter gets the number.
  static func count(
    _ name: String,
    short: Character? = nil,
    _ help: String,
    set: @escaping @Sendable (inout Arguments, Int) -> Void
  ) -> OptionRow {
    OptionRow(name: name, short: short, placeholder: nil, help: help, isRepeatable: true) {
      guard let number = Int($1), (0...9).contains(number) else {
        throw UnknownWord($1, among: ["a number from 0 to 9"])
      }
      set(&$0, number)
    }
  }

  /// The same option, whose value is one of some words, which a shell can complete.
  func among(_ words: [String]) -> OptionRow {
    var row = self
    row.words = words
    return row
  }

  /// The same option, and the value that it has where nothing is given.
  func usually(_ value: String) -> OptionRow {
    var row = self
    row.usual = value
    return row
  }

  /// The same option, which no file of settings may set.
  func neverInFile(_ reason: String) -> OptionRow {
    var row = self
    row.refusedInFile = reason
    return row
  }

  /// The help, and the value that it has where nothing is given.
  var explanation: String { usual.map { "\(help) Default: \($0)." } ?? help }

  /// The variable of the environment that sets it, `BULKMIGRATE_<NAME>`.
  ///
  /// `1` sets a flag, and `0` does not; each line is a value of an option that may be repeated. An empty variable
  /// counts as none.
  var environmentName: String {
    "BULKMIGRATE_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
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

/// The value of an option, and where it comes from.
struct OptionSetting: Equatable, Sendable {
  /// Where a value comes from; a later one counts more.
  enum Origin: Equatable, Sendable {
    /// Nothing says otherwise.
    case usual
    /// A file of settings, and the place of the value there.
    case file(String, TextPosition)
    /// A variable of the environment.
    case environment(String)
    /// The command line.
    case typed
  }

  /// The name of the option, without dashes.
  let name: String
  /// The values, several of an option that may be repeated; none where it has no value that could be shown.
  ///
  /// Those of a flag are `true` and `false`.
  var values: [String]
  let origin: Origin

  /// Why a file may not set an option that executes a command.
  static let noCommands = "a file never names a command to execute"
}

extension OptionSetting.Origin: CustomStringConvertible {
  var description: String {
    switch self {
    case .usual: "default"
    case .file(let path, let position): "\(path):\(position)"
    case .environment(let name): name
    case .typed: "command line"
    }
  }
}

internal import BulkCoding

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

import BulkCoding

/// Settings with their origins, for `--show-origin` and `-v`.
enum SettingText {
  /// A setting on a line of its own.
  static func line(_ setting: OptionSetting) -> String {
    "--\(setting.name) \(text(setting)): \(setting.origin)"
  }

  /// Prints all settings of a command.
  static func print(_ settings: [OptionSetting], of command: String, _ output: Output) throws {
    guard !output.isJSON else {
      return try output.json(SettingsReport(settings, of: command), as: .settings)
    }
    var table = TextTable(.left("OPTION"), .left("VALUE"), .left("FROM"))
    for setting in settings {
      table.append("--\(setting.name)", text(setting), "\(setting.origin)")
    }
    try output.result(table.lines())
  }

  private static func text(_ setting: OptionSetting) -> String {
    setting.values.isEmpty ? "-" : setting.values.joined(separator: ", ")
  }
}

/// The output of `--show-origin --json`, `Plans/schemas/settings.schema.json`.
struct SettingsReport: Encodable {
  /// An option.
  struct Setting: Encodable {
    let name: String
    let values: [String]
    let origin: Origin
    let variable: String?
    let file: String?
    let line: Int?
    let column: Int?
  }

  /// Where a value comes from.
  enum Origin: String, Encodable {
    case usual = "default"
    case file
    case environment
    case typed = "commandLine"
  }

  let command: String
  let settings: [Setting]

  init(_ settings: [OptionSetting], of command: String) {
    self.command = command
    self.settings = settings.map { Setting($0) }
  }
}

extension SettingsReport.Setting {
  fileprivate init(_ setting: OptionSetting) {
    name = setting.name
    values = setting.values
    switch setting.origin {
    case .usual: (origin, variable, file, line, column) = (.usual, nil, nil, nil, nil)
    case .environment(let name):
      (origin, variable, file, line, column) = (.environment, name, nil, nil, nil)
    case .file(let path, let place):
      (origin, variable, file, line, column) = (.file, nil, path, place.line, place.column)
    case .typed: (origin, variable, file, line, column) = (.typed, nil, nil, nil, nil)
    }
  }
}

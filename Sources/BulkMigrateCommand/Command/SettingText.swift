import BulkCoding

extension OptionSetting {
  /// The setting with its origin, for `-v`.
  var line: String { "--\(name) \(text): \(origin)" }

  fileprivate var text: String { values.isEmpty ? "-" : values.joined(separator: ", ") }
}

/// The output of `--show-origin`; with `--json` as in `Plans/schemas/settings.schema.json`.
struct SettingsReport: Encodable {
  struct Setting: Encodable {
    let name: String
    let values: [String]
    /// `default`, `file`, `environment` or `commandLine`.
    let origin: String
    private(set) var variable: String?
    private(set) var file: String?
    private(set) var line: Int?
    private(set) var column: Int?
  }

  let command: String
  let settings: [Setting]

  init(_ settings: [OptionSetting], of command: String) {
    self.command = command
    self.settings = settings.map { Setting($0) }
  }
}

extension [OptionSetting] {
  var lines: [String] {
    table(
      .left("OPTION") { "--\($0.name)" },
      .left("VALUE") { $0.text },
      .left("FROM") { "\($0.origin)" }
    )
  }
}

extension SettingsReport.Setting {
  fileprivate init(_ setting: OptionSetting) {
    (name, values) = (setting.name, setting.values)
    switch setting.origin {
    case .usual: origin = "default"
    case .typed: origin = "commandLine"
    case .environment(let name): (origin, variable) = ("environment", name)
    case .file(let path, let place):
      (origin, file, line, column) = ("file", path, place.line, place.column)
    }
  }
}

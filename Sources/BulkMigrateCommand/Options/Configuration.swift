import BulkCoding
import BulkPlatform

/// Values of options from a file, `Plans/schemas/config.schema.json`.
struct Configuration: Sendable {
  struct Setting: Sendable {
    let name: String
    /// The values as they would be typed; `true` or `false` for a flag.
    let values: [String]
    let position: TextPosition
  }

  /// The option that names the file.
  static let optionName = "config"
  /// The file that is read where none is named.
  static let usualPath = "bulkmigrate.config.json"
  /// The word in place of a file that reads none.
  static let noFile = "none"
  /// The largest file in bytes.
  private static let sizeLimit = 1 << 20

  let path: String
  /// The settings for every command that has the option.
  let general: [Setting]
  /// The settings for single commands, by their names.
  let commands: [String: [Setting]]

  /// The settings of a command; they override those for all commands.
  func settings(of command: String) -> [Setting] {
    let own = commands[command] ?? []
    return general.filter { setting in !own.contains { $0.name == setting.name } } + own
  }

  /// Reads the file that is named, or that of the current folder; `nil` if that has none, or none is wanted.
  ///
  /// - Throws: ``Refusal``.
  static func read(
    _ name: String?,
    for commands: () -> [CommandDescription]
  ) throws(Refusal) -> Configuration? {
    guard name != noFile else { return nil }
    let path = name ?? usualPath
    if name == nil {
      var status = stat()
      // The call fills the status and keeps neither it nor the path.
      guard unsafe stat(path, &status) == 0 else { return nil }
      guard status.st_uid == geteuid() || status.st_uid == 0 else {
        throw Refusal(
          .badData,
          "\(path) belongs to another user, so it is not obeyed; name it with --config to use it, or pass --config none"
        )
      }
    }
    let bytes: [UInt8]
    do {
      bytes = try FileReading.bytes(ofFile: path, atMost: sizeLimit)
    } catch {
      let reason = error.reason(limit: sizeLimit, kind: "file of settings")
      throw Refusal(.noInput, "\(path) cannot be read: \(reason)")
    }
    return try ConfigurationReader(path, bytes, for: commands()).configuration()
  }
}

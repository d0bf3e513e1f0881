/// The file that a command has written, its output with `--json`.
struct WrittenFile: Encodable {
  /// The path, as it was named.
  let path: String

  /// Reports that something was written, and ends with success.
  func tell(_ what: String, _ output: Output) throws -> ExitCode {
    if output.isJSON {
      try output.json(self, as: .written)
    } else {
      try output.result("\(what) written to \(path)")
    }
    return .done
  }
}

/// An error as a program reads it, `Plans/schemas/error.schema.json`.
struct ErrorReport: Encodable {
  /// The format, always the same.
  let bulkmigrate = "error/1"
  let exitCode: Int32
  let message: String

  init(_ error: any Error, _ code: ExitCode) {
    exitCode = code.rawValue
    message = "\(error)"
  }
}

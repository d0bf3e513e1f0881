internal import Foundation

/// A program that was run to its end, and what it said.
public struct ProcessRun: Sendable {
  /// The exit code; the negated signal where one ended it.
  public let status: Int32
  /// What it wrote to standard output.
  public let output: String
  /// What it wrote to standard error.
  public let errors: String

  /// What a command did that was not a process of its own.
  public init(status: Int32, output: String, errors: String) {
    self.status = status
    self.output = output
    self.errors = errors
  }

  /// Runs a program in a current folder, with an environment beside a few variables of the test's own.
  public init(
    _ executable: String,
    _ arguments: [String],
    in directory: String,
    environment: [String: String] = [:]
  ) throws {
    // Files rather than pipes: a program that says much is never held up by its reader.
    let scratch = TemporaryDirectory()
    let files = try ["out", "err"].map { name in
      _ = FileManager.default.createFile(atPath: scratch.path(name), contents: nil)
      return try FileHandle(forWritingTo: URL(fileURLWithPath: scratch.path(name)))
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: directory)
    let inherited = ProcessInfo.processInfo.environment
      .filter { ["PATH", "HOME", "LD_LIBRARY_PATH", "PYENV_ROOT"].contains($0.key) }
    process.environment = inherited.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = files[0]
    process.standardError = files[1]
    try process.run()
    process.waitUntilExit()
    status =
      process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    output = try String(contentsOfFile: scratch.path("out"), encoding: .utf8)
    errors = try String(contentsOfFile: scratch.path("err"), encoding: .utf8)
  }
}

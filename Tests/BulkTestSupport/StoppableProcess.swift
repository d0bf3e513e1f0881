internal import Foundation

/// A program that runs beside the test, which can wait for it to stand still and let it go on.
public final class StoppableProcess {
  /// The number of the process.
  public let number: Int32
  private let scratch: TemporaryDirectory
  private var hasEnded = false

  /// Starts a program in a current folder, with an environment beside that of the test.
  public init(
    _ executable: String,
    _ arguments: [String],
    in directory: String,
    environment: [String: String] = [:]
  ) throws {
    scratch = TemporaryDirectory()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, name) in [(1, "out"), (2, "err")] as [(Int32, String)] {
      posix_spawn_file_actions_addopen(
        &actions,
        descriptor,
        scratch.path(name),
        O_WRONLY | O_CREAT | O_APPEND,
        0o600
      )
    }
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var pid: pid_t = 0
    let shell = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", directory, executable]
    let code = Self.withCStrings(shell + arguments) { words in
      Self.withCStrings(variables.map { "\($0)=\($1)" }) { settings in
        posix_spawn(&pid, "/bin/sh", &actions, nil, words, settings)
      }
    }
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    number = pid
  }

  deinit {
    guard !hasEnded else { return }
    kill(number, SIGKILL)
    waitpid(number, nil, 0)
  }

  private static func withCStrings<T>(
    _ texts: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> T
  ) -> T {
    let strings = texts.map { strdup($0) }
    defer { strings.forEach { free($0) } }
    return body(strings + [nil])
  }

  /// Waits until the process stands still; false if it has ended.
  public func standsStill() -> Bool {
    var status: Int32 = 0
    waitpid(number, &status, WUNTRACED)
    return status & 0xff == 0x7f
  }

  /// Sends a signal.
  public func send(_ signal: Int32) { kill(number, signal) }

  /// Lets the process go on and waits for its end: the exit code, or the negated signal where one ended it.
  public func goOn() -> Int32 {
    kill(number, SIGCONT)
    return end()
  }

  /// Waits for the end of the process: the exit code, or the negated signal where one ended it.
  public func end() -> Int32 {
    var status: Int32 = 0
    waitpid(number, &status, 0)
    hasEnded = true
    return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
  }

  /// What the program has written to standard error so far.
  public var errors: String {
    (try? String(contentsOfFile: scratch.path("err"), encoding: .utf8)) ?? ""
  }

  /// What the program has written to standard output so far.
  public var output: String {
    (try? String(contentsOfFile: scratch.path("out"), encoding: .utf8)) ?? ""
  }
}

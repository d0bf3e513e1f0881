/// A place for text: standard output, standard error, or a test's memory.
protocol TextStream: Sendable {
  /// The columns of the terminal, or `nil` if the text does not go to one.
  var terminalWidth: Int? { get }

  /// Takes the text at once and whole.
  func write(_ text: String) throws(OutputError)
}

/// A file descriptor that the process was started with.
struct StandardStream: TextStream {
  static let output = StandardStream(descriptor: 1)
  static let error = StandardStream(descriptor: 2)

  private let descriptor: Int32

  private init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  var terminalWidth: Int? {
    guard Platform.isTerminal(descriptor) else { return nil }
    return Platform.terminalWidth(descriptor) ?? 80
  }

  func write(_ text: String) throws(OutputError) {
    try Platform.write(Array(text.utf8), to: descriptor)
  }
}

/// Why text did not reach the program's caller.
enum OutputError: Error, Equatable {
  /// Nobody reads the other end of the pipe any more.
  case readerGone
  /// The system refused the text, for this reason.
  case cannotWrite(reason: String)
}

extension OutputError: ErrorWithExitCode {
  var exitCode: ExitCode { .inputOutput }
}

extension OutputError: CustomStringConvertible {
  var description: String {
    switch self {
    case .readerGone: "the output is not read to its end"
    case .cannotWrite(let reason): "the output cannot be written: \(reason)"
    }
  }
}

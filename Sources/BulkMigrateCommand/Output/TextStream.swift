import BulkPlatform

/// A destination for text: standard output, standard error, or a test's memory.
protocol TextStream: Sendable {
  /// The columns of the terminal; `nil` for other destinations.
  var terminalWidth: Int? { get }

  /// Writes the whole text at once.
  func write(_ text: String) throws(OutputError)
}

/// A standard file descriptor of the process.
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
    let bytes = Array(text.utf8)
    OtherBytes.addWritten(Int64(bytes.count))
    try Platform.write(bytes, to: descriptor)
  }
}

/// Why text could not be written.
enum OutputError: Error, Equatable {
  /// The other end of the pipe is closed.
  case readerGone
  /// The write failed for this reason.
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

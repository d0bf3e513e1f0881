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

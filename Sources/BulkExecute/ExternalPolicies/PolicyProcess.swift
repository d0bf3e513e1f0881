internal import BulkCoding
internal import BulkPlatform

/// The process of a policy's program, which answers each line of JSON with one.
///
/// What it does besides is an error: to end, to say nothing for a time, to say more than is asked for, or to write to its
/// standard error. Then it is killed, with what it started.
final class PolicyProcess {
  /// The bytes of its standard error that an error shows.
  private static let shownBytes = 2_000

  private let process: ChildProcess
  private let patience: Duration
  private var received: [UInt8] = []
  private var complaint: [UInt8] = []
  /// The number of the last line of its output.
  private(set) var line = 0

  /// Starts the program of a policy.
  ///
  /// - Throws: ``PolicyError`` if this program cannot start another.
  init(_ program: PolicyProgram) throws(PolicyError) {
    guard let host = ChildProcess.ownProgram else {
      throw PolicyError("its program is not started: the path of this program is unknown")
    }
    patience = program.patience
    do throws(ChildProcess.StartingFailure) {
      process = try ChildProcess(host, [PolicyHost.word] + program.words, readsErrors: true)
    } catch {
      throw PolicyError("its program is not started: \(error.reason)")
    }
  }

  deinit {
    process.close()
    process.sendToGroup(SIGKILL)
  }

  /// Sends a line, and waits for the one that answers it.
  ///
  /// - Parameters:
  ///   - request: The line, with its end.
  ///   - limit: The most bytes of an answer.
  /// - Returns: The answer, without the end of the line.
  /// - Throws: ``PolicyError``.
  func exchange(_ request: [UInt8], limit: Int) throws(PolicyError) -> [UInt8] {
    var sent = 0
    while true {
      let ready = process.wait(toWrite: sent < request.count, patience)
      guard ready.isAny else { throw failure("says nothing for \(NumberText.short(patience))") }
      if ready.hasErrors, let text = process.readErrors(), !text.isEmpty { throw complaint(text) }
      if ready.hasOutput {
        let bytes = ChildProcess.available(on: process.output)
        guard !bytes.isEmpty else { throw ended }
        received += bytes
        guard received.count <= limit else {
          throw failure("answers with more than \(ByteCount(bytes: Int64(limit)))")
        }
        if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
          line += 1
          guard sent == request.count else {
            throw failure("answers before it has read the request")
          }
          guard end == received.count - 1 else { throw failure("answers with more than a line") }
          defer { received.removeAll(keepingCapacity: true) }
          return Array(received.dropLast())
        }
      }
      if ready.canWrite {
        guard let count = process.writeSome(request[sent...]) else { throw ended }
        sent += count
      }
    }
  }

  /// An error of the program, at the line that it has written last.
  func failure(_ sentence: String) -> PolicyError {
    PolicyError("its program \(sentence)\(line > 0 ? ", line \(line) of its output" : "")")
  }

  private var ended: PolicyError {
    // What it has written before it ended tells why.
    if let text = process.readErrors(), !text.isEmpty { return complaint(text) }
    process.close()
    return switch process.end() {
    case .code(let code): failure("ended early, with \(code)")
    case .signal(let number): failure("ended early, by signal \(number)")
    }
  }

  /// The error for what it writes to its standard error, of which the end is shown.
  private func complaint(_ first: [UInt8]) -> PolicyError {
    var text = first
    // A program that has failed writes the rest at once.
    while process.wait(toWrite: false, .milliseconds(200)).hasErrors,
      let more = process.readErrors(), !more.isEmpty
    {
      text = Array((text + more).suffix(Self.shownBytes))
    }
    let shown = String(decoding: text.suffix(Self.shownBytes), as: UTF8.self)
    let lines = shown.split(whereSeparator: \.isNewline).map { "  " + $0 }
    return failure("writes to its standard error") + ":\n" + lines.joined(separator: "\n")
  }
}

extension PolicyError {
  fileprivate static func + (error: PolicyError, rest: String) -> PolicyError {
    PolicyError(error.description + rest)
  }
}

/// The process that becomes the program of a policy.
package enum PolicyHost {
  /// The first word of its command line.
  package static let word = "policy-program"

  /// Becomes the program that the words name, in a group of its own.
  ///
  /// - Returns: Why it could not, as a sentence.
  package static func become(_ words: [String]) -> String {
    ChildProcess.leadGroup()
    let reason = ChildProcess.become(words)
    return "\(words.first ?? "") cannot be started: \(reason)"
  }
}

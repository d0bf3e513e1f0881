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

  /// Sends a line, with its end.
  ///
  /// - Throws: ``PolicyError``.
  func send(_ request: [UInt8]) throws(PolicyError) {
    var sent = 0
    while sent < request.count {
      let ready = process.wait(toWrite: true, patience)
      guard ready.isAny else { throw silence }
      if ready.hasErrors, let text = process.readErrors(), !text.isEmpty { throw complaint(text) }
      if ready.hasOutput {
        throw ChildProcess.available(on: process.output).isEmpty
          ? ended : failure("answers before it has read the request")
      }
      guard ready.canWrite else { continue }
      guard let count = process.writeSome(request[sent...]) else { throw ended }
      sent += count
    }
  }

  /// Waits for the line that answers the one that was sent last.
  ///
  /// - Parameter limit: The most bytes of the answer.
  /// - Returns: The answer, without the end of the line.
  /// - Throws: ``PolicyError``.
  func receive(limit: Int) throws(PolicyError) -> [UInt8] {
    var received: [UInt8] = []
    while true {
      let ready = process.wait(toWrite: false, patience)
      guard ready.isAny else { throw silence }
      if ready.hasErrors, let text = process.readErrors(), !text.isEmpty { throw complaint(text) }
      guard ready.hasOutput else { continue }
      let bytes = ChildProcess.available(on: process.output)
      guard !bytes.isEmpty else { throw ended }
      received += bytes
      guard received.count <= limit else {
        throw failure("answers with more than \(ByteCount(bytes: Int64(limit)))")
      }
      guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { continue }
      line += 1
      guard end == bytes.count - 1 else { throw failure("answers with more than a line") }
      return Array(received.dropLast())
    }
  }

  private var silence: PolicyError { failure("says nothing for \(NumberText.short(patience))") }

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

internal import BulkCoding
internal import BulkPlatform

/// The process of a policy's program, which answers each line of JSON with one.
///
/// Anything else is an error: it ends, it is silent for too long, it says more than is asked, or it writes to standard
/// error. Then it is killed, with what it started.
final class PolicyProcess {
  /// The bytes of its standard error that an error shows.
  private static let shownBytes = 2_000
  /// The bytes of its standard error that are read.
  private static let readBytes = 1 << 16
  /// How long a program that has closed its output may take to end, in milliseconds.
  private static let endingTime: Int32 = 1_000

  private let process: ChildProcess
  private let patience: Duration
  /// The number of the last line of its output, from 1.
  private(set) var line = 0

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

  /// Waits for the line that answers the one that was sent last, without its end.
  ///
  /// `limit` is the most bytes of the answer.
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
        throw failure(
          "answers with more than \(ByteCount(bytes: Int64(limit))); let it answer less, or raise --max-memory"
        )
      }
      guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { continue }
      line += 1
      guard end == bytes.count - 1 else { throw failure("answers with more than a line") }
      return Array(received.dropLast())
    }
  }

  private var silence: PolicyError { failure("says nothing for \(patience.short)") }

  func failure(_ sentence: String) -> PolicyError {
    PolicyError("its program \(sentence)\(line > 0 ? ", line \(line) of its output" : "")")
  }

  private var ended: PolicyError {
    // What it has written before it ended tells why.
    guard let text = process.readErrors(waiting: Self.endingTime) else {
      process.sendToGroup(SIGKILL)
      return failure("closes its output and goes on")
    }
    if !text.isEmpty { return complaint(text) }
    // One that has closed its standard error too is not waited for.
    process.sendToGroup(SIGKILL)
    process.close()
    return switch process.end() {
    case .code(let code): failure("ended early, with \(code)")
    case .signal(let number): failure("ended early, by signal \(number)")
    }
  }

  private func complaint(_ first: [UInt8]) -> PolicyError {
    var text = first
    // A program that has failed writes the rest at once.
    while text.count < Self.readBytes, let more = process.readErrors(waiting: Self.endingTime),
      !more.isEmpty
    {
      text += more
    }
    let shown = String(decoding: text.suffix(Self.shownBytes), as: UTF8.self)
    let lines = shown.split(whereSeparator: \.isNewline).map { "  " + $0 }
    return PolicyError(
      ([failure("writes to its standard error").description + ":"] + lines).joined(separator: "\n")
    )
  }
}

/// The process that becomes the program of a policy.
package enum PolicyHost {
  package static let word = "policy-program"

  /// Becomes the program that the words name, in a group of its own; returns why it could not.
  package static func become(_ words: [String]) -> String {
    ChildProcess.leadGroup()
    let reason = ChildProcess.become(words)
    return "\(words.first ?? "") cannot be started: \(reason)"
  }
}

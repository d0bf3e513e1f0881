internal import BulkSupport

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
  /// Between two looks whether the migration is to stop.
  private static let waitingTime: Duration = .seconds(1)

  private let process: ChildProcess
  private let patience: Duration
  /// The number of the last line of its output, from 1.
  private(set) var line = 0
  /// The beginning of the answer that is waited for.
  private var received: [UInt8] = []
  /// How long it has given no sign of life.
  private var silence = Duration.zero

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

  /// Waits a second at most for a sign of life; `nil` if there is none.
  private func wait(toWrite isWriting: Bool) throws(PolicyError) -> ChildProcess.Readiness? {
    let time = min(patience - silence, Self.waitingTime)
    let ready = process.wait(toWrite: isWriting, time)
    silence = ready.isAny ? .zero : silence + time
    guard silence < patience else { throw failure("says nothing for \(patience.short)") }
    guard ready.isAny else { return nil }
    if ready.hasErrors, let text = process.readErrors(), !text.isEmpty { throw complaint(text) }
    return ready
  }

  /// Sends bytes of a request; returns those that it has not taken yet.
  func send(_ request: ArraySlice<UInt8>) throws(PolicyError) -> ArraySlice<UInt8> {
    guard let ready = try wait(toWrite: true) else { return request }
    if ready.hasOutput {
      throw ChildProcess.available(on: process.output).isEmpty
        ? ended : failure("answers before it has read the request")
    }
    guard ready.canWrite else { return request }
    guard let count = process.writeSome(request) else { throw ended }
    return request.dropFirst(count)
  }

  /// The line that answers the request that was sent last, without its end; `nil` as long as it is not whole.
  ///
  /// `limit` is the most bytes of the answer.
  func receive(limit: Int) throws(PolicyError) -> [UInt8]? {
    guard let ready = try wait(toWrite: false), ready.hasOutput else { return nil }
    let bytes = ChildProcess.available(on: process.output)
    guard !bytes.isEmpty else { throw ended }
    received += bytes
    guard received.count <= limit else {
      throw failure(
        "answers with more than \(ByteCount(bytes: Int64(limit))); let it answer less, or raise --max-memory"
      )
    }
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    line += 1
    guard end == bytes.count - 1 else { throw failure("answers with more than a line") }
    defer { received = [] }
    return received.dropLast()
  }

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

/// Another process, with pipes to its standard input and from its standard output.
// The calls are `unsafe`: they get pointers that outlive them, and keep none.
package final class ChildProcess {
  /// How a process ended.
  package enum Ending: Equatable, Sendable {
    case code(Int32)
    case signal(Int32)
  }

  package let number: Int32
  /// Where its output is read; closed by ``close()``.
  package let output: Int32
  /// -1 where it is that of this process, or at its end.
  private var errors: Int32 = -1
  private let input: Int32
  private var isInputOpen = true
  fileprivate var hasEnded = false

  /// With `readsErrors` the standard error is read, and the input written as ``wait(toWrite:_:)`` allows;
  /// otherwise the standard error is that of this process.
  package init(
    _ program: String,
    _ arguments: [String],
    readsErrors: Bool = false
  ) throws(StartingFailure) {
    var open: [Int32] = []
    do throws(StartingFailure) {
      for _ in 0..<(readsErrors ? 3 : 2) {
        guard let ends = Self.pipe() else { throw StartingFailure(code: errno) }
        open += ends
      }
      number = try Self.spawn(
        program,
        arguments,
        ends: [open[0], open[3]] + (readsErrors ? [open[5]] : [])
      )
    } catch {
      open.forEach { _ = BulkSupport.close($0) }
      throw error
    }
    (input, output) = (open[1], open[2])
    if readsErrors {
      errors = open[4]
      _ = fcntl(input, F_SETFL, O_NONBLOCK)
    }
    for end in [open[0], open[3]] + open.dropFirst(5) { _ = BulkSupport.close(end) }
  }

  /// The end to read from first; `nil` if none can be made.
  static func pipe() -> [Int32]? {
    var ends: [Int32] = [-1, -1]
    // The call fills in two descriptors.
    guard unsafe BulkSupport.pipe(&ends) == 0 else { return nil }
    // No other child may inherit them: a pipe ends with its last owner.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }

  private static func spawn(
    _ program: String,
    _ arguments: [String],
    ends: [Int32]
  ) throws(StartingFailure) -> Int32 {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    #else
    var actions = unsafe posix_spawn_file_actions_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (end, standard) in zip(ends, [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]) {
      unsafe posix_spawn_file_actions_adddup2(&actions, end, standard)
    }
    let words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe words.indices { unsafe free(words[index]) } }
    var number: pid_t = 0
    let code = unsafe posix_spawn(&number, program, &actions, nil, words, environ)
    guard code == 0 else { throw StartingFailure(code: code) }
    return number
  }

  deinit {
    close()
    if !hasEnded { _ = end() }
  }

  /// Returns whether all were written; a process that has ended takes none.
  package func write(_ bytes: [UInt8]) -> Bool {
    // The call reads within the bytes.
    unsafe isInputOpen && bytes.withUnsafeBytes { unsafe FileWriting.write($0, to: input) }
  }

  package func endInput() {
    guard isInputOpen else { return }
    isInputOpen = false
    _ = BulkSupport.close(input)
  }

  package func send(_ signal: Int32) {
    if !hasEnded { kill(number, signal) }
  }

  private var isOutputOpen = true

  package func close() {
    endInput()
    guard isOutputOpen else { return }
    isOutputOpen = false
    _ = BulkSupport.close(output)
    if errors >= 0 { _ = BulkSupport.close(errors) }
    errors = -1
  }

  private var ending = Ending.code(0)

  package func end() -> Ending {
    guard !hasEnded else { return ending }
    var status: Int32 = 0
    while unsafe waitpid(number, &status, 0) < 0, errno == EINTR {}
    hasEnded = true
    ending = status & 0x7f == 0 ? .code(status >> 8 & 0xff) : .signal(status & 0x7f)
    return ending
  }

  /// Why a process could not be started.
  package struct StartingFailure: Error {
    package let code: Int32
    package var reason: String { unsafe String(cString: strerror(code)) }
  }
}

extension ChildProcess {
  /// What can be done with the pipes at once.
  package struct Readiness {
    package var canWrite = false
    package var hasOutput = false
    package var hasErrors = false

    package var isAny: Bool { canWrite || hasOutput || hasErrors }
  }

  /// Nothing can be done when the time is over.
  package func wait(toWrite isWriting: Bool, _ patience: Duration) -> Readiness {
    var requests = [
      pollfd(fd: isWriting ? input : -1, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
    ]
    let milliseconds = Int32(min(patience / .milliseconds(1), 1e9))
    while unsafe poll(&requests, nfds_t(requests.count), milliseconds) < 0, errno == EINTR {}
    return Readiness(
      canWrite: requests[0].revents != 0,
      hasOutput: requests[1].revents != 0,
      hasErrors: requests[2].revents != 0
    )
  }

  /// As many as it takes at once; `nil` if nobody reads it.
  package func writeSome(_ bytes: ArraySlice<UInt8>) -> Int? {
    let count = unsafe bytes.withUnsafeBytes {
      unsafe BulkSupport.write(input, $0.baseAddress, $0.count)
    }
    if count >= 0 { return count }
    return [EAGAIN, EINTR].contains(errno) ? 0 : nil
  }

  /// `nil` if none can be read, empty at the end.
  package func readErrors(waiting milliseconds: Int32 = 0) -> [UInt8]? {
    guard errors >= 0 else { return [] }
    guard !Self.readable(among: [errors], waiting: milliseconds).isEmpty else { return nil }
    let bytes = Self.available(on: errors)
    if bytes.isEmpty {
      _ = BulkSupport.close(errors)
      errors = -1
    }
    return bytes
  }

  /// And to all of its group, if it leads one.
  package func sendToGroup(_ signal: Int32) {
    guard !hasEnded else { return }
    kill(-number, signal)
    send(signal)
  }

  package static func leadGroup() { _ = setpgid(0, 0) }

  /// A shell would find the program by the first word; returns why this could not.
  package static func become(_ words: [String]) -> String {
    guard !words.isEmpty else { return "no program is named" }
    unsafe execvp(words[0], words.map { unsafe strdup($0) } + [nil])
    return unsafe String(cString: strerror(errno))
  }

  package static var ownProgram: String? {
    #if canImport(Darwin)
    var size: UInt32 = 0
    _ = unsafe _NSGetExecutablePath(nil, &size)
    var path = [CChar](repeating: 0, count: Int(size) + 1)
    guard unsafe _NSGetExecutablePath(&path, &size) == 0 else { return nil }
    return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
    return try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    #endif
  }

  /// Or are at their end, after a time at most.
  package static func readable(among descriptors: [Int32], waiting milliseconds: Int32) -> [Int32] {
    var requests = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard unsafe poll(&requests, nfds_t(requests.count), milliseconds) > 0 else { return [] }
    return requests.filter { $0.revents != 0 }.map(\.fd)
  }

  /// Empty at the end.
  package static func available(on descriptor: Int32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe bytes.withUnsafeMutableBytes {
        unsafe read(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      bytes.removeLast(bytes.count - max(count, 0))
      return bytes
    }
  }
}

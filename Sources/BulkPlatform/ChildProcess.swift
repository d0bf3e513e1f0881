/// Another process, with pipes to its standard input and from its standard output.
// The calls are `unsafe`: they get pointers that outlive them, and keep none.
package final class ChildProcess {
  /// How a process ended.
  package enum Ending: Equatable, Sendable {
    case code(Int32)
    /// A signal ended it.
    case signal(Int32)
  }

  /// The number of the process.
  package let number: Int32
  /// Where its output is read; closed by ``close()``.
  package let output: Int32
  private let input: Int32
  private var isInputOpen = true
  private var hasEnded = false

  /// Starts a program, whose standard error is that of this process.
  ///
  /// - Throws: ``StartingFailure``.
  package init(_ program: String, _ arguments: [String]) throws(StartingFailure) {
    let toChild = try Self.pipe()
    let fromChild: [Int32]
    do throws(StartingFailure) {
      fromChild = try Self.pipe()
    } catch {
      toChild.forEach { _ = BulkPlatform.close($0) }
      throw error
    }
    (input, output) = (toChild[1], fromChild[0])
    defer { [toChild[0], fromChild[1]].forEach { _ = BulkPlatform.close($0) } }
    do throws(StartingFailure) {
      number = try Self.spawn(program, arguments, input: toChild[0], output: fromChild[1])
    } catch {
      [toChild[1], fromChild[0]].forEach { _ = BulkPlatform.close($0) }
      throw error
    }
  }

  private static func pipe() throws(StartingFailure) -> [Int32] {
    var ends: [Int32] = [-1, -1]
    guard unsafe BulkPlatform.pipe(&ends) == 0 else { throw StartingFailure(code: errno) }
    // No other child may inherit them: a pipe ends with its last owner.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }

  private static func spawn(
    _ program: String,
    _ arguments: [String],
    input: Int32,
    output: Int32
  ) throws(StartingFailure) -> Int32 {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    #else
    var actions = unsafe posix_spawn_file_actions_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    var words = unsafe [UnsafeMutablePointer<CChar>?]()
    for word in [program] + arguments { unsafe words.append(strdup(word)) }
    unsafe words.append(nil)
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

  /// Writes bytes to the standard input of the process.
  ///
  /// - Returns: Whether all were written; a process that has ended takes none.
  package func write(_ bytes: [UInt8]) -> Bool {
    isInputOpen && FileWriting.write(bytes, to: input)
  }

  /// Ends the standard input of the process.
  package func endInput() {
    guard isInputOpen else { return }
    isInputOpen = false
    _ = BulkPlatform.close(input)
  }

  /// Sends the process a signal.
  package func send(_ signal: Int32) {
    if !hasEnded { kill(number, signal) }
  }

  private var isOutputOpen = true

  package func close() {
    endInput()
    guard isOutputOpen else { return }
    isOutputOpen = false
    _ = BulkPlatform.close(output)
  }

  private var ending = Ending.code(0)

  /// Waits for the end of the process.
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
    /// The error number of the system.
    package let code: Int32

    /// The system's description of the error.
    package var reason: String { unsafe String(cString: strerror(code)) }
  }
}

extension ChildProcess {
  /// The path of the program that this process runs.
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

  /// Waits until one of several descriptors can be read, or is at its end.
  ///
  /// - Parameters:
  ///   - descriptors: The descriptors.
  ///   - milliseconds: The longest time.
  /// - Returns: Those that can be read now.
  package static func readable(among descriptors: [Int32], waiting milliseconds: Int32) -> [Int32] {
    var requests = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard unsafe poll(&requests, nfds_t(requests.count), milliseconds) > 0 else { return [] }
    return requests.filter { $0.revents != 0 }.map(\.fd)
  }

  /// The bytes that can be read from a descriptor at once; empty at its end.
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

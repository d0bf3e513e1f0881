import BulkExecute
import BulkSupport
import BulkSQLite

/// The system's calls for file descriptors and the process; nothing else calls them.
enum Platform {
  static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
  }

  static func terminalWidth(_ descriptor: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// Opens standard descriptors that are closed, so that no file of a migration gets their numbers.
  private static func openStandardDescriptors() {
    var descriptor: Int32
    repeat { descriptor = unsafe open("/dev/null", O_RDWR) } while (0...2).contains(descriptor)
    if descriptor > 2 { close(descriptor) }
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32) throws(OutputError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe BulkSupport.write(descriptor, $0.baseAddress, $0.count)
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        unsafe poll(&request, 1, -1)
      } else if errno != EINTR {
        throw errno == EPIPE
          ? .readerGone : .cannotWrite(reason: unsafe String(cString: strerror(errno)))
      }
    }
  }

  /// Sets the folder for SQLite's temporary files, unless the environment names one; SQLite reads the setting
  /// once, at its first use.
  static func useTemporaryDirectory(_ path: String) {
    unsafe setenv("SQLITE_TMPDIR", path, 0)
  }

  static func end(with code: ExitCode) -> Never {
    exit(code.rawValue)
  }

  private static let start = SystemHost.current.instant()

  /// Notes that the process begins, and configures the libraries that the whole process uses.
  static func begin() {
    openStandardDescriptors()
    _ = start
    SQLiteLibrary.countNoMemory()
    ProcessUse.begin()
    ignoreBrokenPipes()
    // A write beyond the file size limit fails, as on a full disk, instead of ending the process.
    signal(SIGXFSZ, SIG_IGN)
  }

  static var timeSinceStart: Duration { start.duration(to: SystemHost.current.instant()) }

  static func elapsedTime() -> @Sendable () -> Duration {
    let start = SystemHost.current.instant()
    return { start.duration(to: SystemHost.current.instant()) }
  }
}

/// A stack that suffices for all commands, even if that of the process is small.
///
/// `ulimit -s` sets the stack of a process; a program that exceeds it ends without a message.
enum LargeStack {
  /// The stack of every command in bytes, the usual size for a process.
  private static let size = 8 << 20

  /// Runs a body where the stack suffices; ``ExitCode/failed`` if no thread with such a stack can be made.
  static func run(_ body: @escaping () -> ExitCode) -> ExitCode {
    guard let given = ResourceLimit.stack.bytes, given < size else { return body() }
    var code = ExitCode.failed
    return SystemThread.run(stackBytes: size) { code = body() } ? code : .failed
  }
}

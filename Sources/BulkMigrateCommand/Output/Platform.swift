import BulkPlatform

/// What the system says about file descriptors; the one place that calls it.
// Its calls are `unsafe`: they are given places in memory and keep none; texts of the system are copied at once.
enum Platform {
  /// Whether a descriptor is a terminal.
  static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
  }

  /// The columns of the terminal behind a descriptor, or `nil` if it does not say.
  static func terminalWidth(_ descriptor: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  /// Makes writing to a pipe that nobody reads an error of the write, instead of the process's end.
  static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// Makes a file that grows beyond what the process may write an error of the write, as a full disk is.
  static func ignoreFileSizeLimits() {
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Opens the standard descriptors that whoever started the process has closed, so that no file of a
  /// migration gets their numbers.
  static func openStandardDescriptors() {
    while true {
      let descriptor = unsafe open("/dev/null", O_RDWR)
      guard descriptor <= 2 else {
        close(descriptor)
        return
      }
      guard descriptor >= 0 else { return }
    }
  }

  /// Writes all bytes, waiting where the descriptor is not ready yet.
  static func write(_ bytes: [UInt8], to descriptor: Int32) throws(OutputError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe writeSome($0, to: descriptor) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        waitUntilWritable(descriptor)
      } else if errno != EINTR {
        throw errno == EPIPE
          ? .readerGone : .cannotWrite(reason: unsafe String(cString: strerror(errno)))
      }
    }
  }

  /// Lets SQLite put files that need not survive an interruption into a folder, unless the environment
  /// names one for it already; it asks once, when it is first used.
  static func useTemporaryDirectory(_ path: String) {
    unsafe setenv("SQLITE_TMPDIR", path, 0)
  }

  /// Ends the process with an exit code.
  static func end(with code: ExitCode) -> Never {
    exit(code.rawValue)
  }

  /// A clock that tells the time since it was made.
  static func elapsedTime() -> @Sendable () -> Duration {
    let start = ContinuousClock.now
    return { start.duration(to: .now) }
  }

  private static func writeSome(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
    unsafe BulkPlatform.write(descriptor, bytes.baseAddress, bytes.count)
  }

  private static func waitUntilWritable(_ descriptor: Int32) {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    unsafe poll(&request, 1, -1)
  }
}

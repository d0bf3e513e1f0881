package import BulkCoding
internal import BulkPlatform

/// The resources that this process has used so far.
package enum ProcessUse {
  /// The processor time of all threads, in seconds.
  package static var processorSeconds: Double {
    var time = timespec()
    // The call fills the time and does not keep it.
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The bytes read of files, including those from caches; `nil` where the system does not report them.
  ///
  /// Reports of the system in `/proc`, and bytes read before ``begin()``, do not count.
  package static var bytesRead: Int64? {
    let others = OtherBytes.read
    return value(of: "rchar:").map { max($0 - others, 0) }
  }

  /// The bytes written to files; `nil` where the system does not report them.
  ///
  /// Bytes written to standard output and standard error do not count.
  package static var bytesWritten: Int64? {
    let others = OtherBytes.written
    return value(of: "wchar:").map { max($0 - others, 0) }
  }

  /// Excludes the bytes read so far: the program and its libraries.
  package static func begin() { OtherBytes.addRead(bytesRead ?? 0) }

  /// A number of `/proc/self/io` (proc(5)); the call itself is counted by the next one.
  private static func value(of key: String) -> Int64? {
    guard let bytes = FileReading.system("/proc/self/io") else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix(key) }
      .flatMap { Int64($0.dropFirst(key.count).drop { $0 == " " }) }
  }
}

/// The memory of this process, as the operating system reports it.
package enum ProcessMemory {
  /// The memory that the process holds now, `VmRSS`; `nil` where the system does not report it.
  package static var resident: ByteCount? { value(of: "VmRSS:") }

  /// The peak of the process's memory, `VmHWM`; `nil` where the system does not report it.
  ///
  /// `getrusage` is unsuitable: a child inherits the peak of the process that forked it.
  package static var peak: ByteCount? { value(of: "VmHWM:") }

  /// Lets ``peak`` begin again with what the process holds now, where the system can do so.
  package static func restartPeak() {
    // The call reads the path and does not keep it.
    let file = unsafe open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    // 5 resets the peak, and nothing else (proc(5)).
    unsafe write(file, [UInt8(ascii: "5")], 1)
    OtherBytes.addWritten(1)
  }

  private static func value(of key: String) -> ByteCount? {
    guard let status = FileReading.system("/proc/self/status") else {
      return nil
    }
    for line in status.split(separator: UInt8(ascii: "\n")) where line.starts(with: key.utf8) {
      let digits = line.drop { !isDigit($0) }.prefix(while: isDigit)
      return Int64(String(decoding: digits, as: UTF8.self)).map { .kibibytes($0) }
    }
    return nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

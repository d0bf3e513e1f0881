package import BulkSupport

/// The resources that this process has used so far.
package enum ProcessUse {
  package static var processorSeconds: Double {
    var time = timespec()
    // The call fills the time and does not keep it.
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The bytes read of files, including those from caches; `nil` where the system does not report them.
  ///
  /// Reports of the system in `/proc`, and bytes read before ``begin()``, do not count.
  package static var bytesRead: Int64? { bytes.read }

  /// The bytes written to files; `nil` where the system does not report them.
  ///
  /// Bytes written to standard output and standard error do not count.
  package static var bytesWritten: Int64? { bytes.written }

  static var bytes: (read: Int64?, written: Int64?) {
    let others = (read: OtherBytes.read, written: OtherBytes.written)
    guard let report = ProcessReport.io.read() else { return (nil, nil) }
    return (
      report.value(of: "rchar:").map { max($0 - others.read, 0) },
      report.value(of: "wchar:").map { max($0 - others.written, 0) }
    )
  }

  /// Excludes the bytes read so far: the program and its libraries.
  package static func begin() { OtherBytes.addRead(bytesRead ?? 0) }
}

/// A report of the system about this process (proc(5)), which is read after every batch and stays open.
private struct ProcessReport {
  /// Reading it is counted by the next report.
  static let io = ProcessReport("io")
  static let status = ProcessReport("status")

  private let descriptor: Int32

  private init(_ name: String) {
    // The call reads the path and does not keep it.
    descriptor = unsafe open("/proc/self/\(name)", O_RDONLY | O_CLOEXEC)
  }

  /// `nil` where the system has none.
  func read() -> [UInt8]? { descriptor >= 0 ? FileReading.system(descriptor) : nil }
}

extension [UInt8] {
  fileprivate func value(of key: String) -> Int64? {
    func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    var rest = self[...]
    while !rest.isEmpty {
      let line = rest.prefix { $0 != UInt8(ascii: "\n") }
      if line.starts(with: key.utf8) {
        let digits = line.drop { !isDigit($0) }.prefix(while: isDigit)
        return Int64(String(decoding: digits, as: UTF8.self))
      }
      rest = rest.dropFirst(line.count + 1)
    }
    return nil
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
    ProcessReport.status.read()?.value(of: key).map { .kibibytes($0) }
  }
}

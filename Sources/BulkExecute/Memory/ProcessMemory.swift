public import BulkCoding
internal import Foundation

/// What the operating system says of this process's memory.
public enum ProcessMemory {
  /// The memory that the process holds now, `VmRSS`; `nil` where the system does not tell it.
  public static var resident: ByteCount? { value(of: "VmRSS:") }

  /// The most memory that the process held, `VmHWM`; `nil` where the system does not tell it.
  ///
  /// `getrusage` would not do: a child inherits the peak of the process that forked it.
  public static var peak: ByteCount? { value(of: "VmHWM:") }

  private static func value(of key: String) -> ByteCount? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
      return nil
    }
    for line in status.split(separator: "\n") where line.hasPrefix(key) {
      let number = line.dropFirst(key.count).split(whereSeparator: \.isWhitespace).first
        .flatMap { Int64($0) }
      return number.map { .kibibytes($0) }
    }
    return nil
  }
}

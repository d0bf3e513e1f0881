internal import BulkPlatform
internal import Foundation

/// What this process has used so far.
public enum ProcessUse {
  /// The processor time of all threads, in seconds.
  public static var processorSeconds: Double {
    var time = timespec()
    // The call fills the time and does not keep it.
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The bytes that were read, from caches too; `nil` where the system does not tell them.
  public static var bytesRead: Int64? { value(of: "rchar:") }

  /// The bytes that were written; `nil` where the system does not tell them.
  public static var bytesWritten: Int64? { value(of: "wchar:") }

  private static func value(of key: String) -> Int64? {
    guard let text = try? String(contentsOfFile: "/proc/self/io", encoding: .utf8) else {
      return nil
    }
    return text.split(separator: "\n").first { $0.hasPrefix(key) }
      .flatMap { Int64($0.dropFirst(key.count).trimmingCharacters(in: .whitespaces)) }
  }
}

/// A number of bytes: a size, a limit, or the difference of two.
public struct ByteCount: Hashable, Sendable {
  /// The number of bytes; negative only as a difference.
  public var bytes: Int64

  /// A count of single bytes.
  @inlinable
  public init(bytes: Int64) {
    self.bytes = bytes
  }

  /// No bytes at all.
  public static let zero = ByteCount(bytes: 0)

  /// A multiple of 1024 bytes.
  public static func kibibytes(_ count: Int64) -> ByteCount {
    ByteCount(bytes: count * 1024)
  }

  /// A multiple of 1024² bytes.
  public static func mebibytes(_ count: Int64) -> ByteCount {
    ByteCount(bytes: count * 1024 * 1024)
  }

  /// A multiple of 1024³ bytes.
  public static func gibibytes(_ count: Int64) -> ByteCount {
    ByteCount(bytes: count * 1024 * 1024 * 1024)
  }
}

extension ByteCount: Comparable {
  /// Orders two counts by their number of bytes.
  @inlinable
  public static func < (left: ByteCount, right: ByteCount) -> Bool {
    left.bytes < right.bytes
  }
}

extension ByteCount: AdditiveArithmetic {
  /// The sum of two counts.
  @inlinable
  public static func + (left: ByteCount, right: ByteCount) -> ByteCount {
    ByteCount(bytes: left.bytes + right.bytes)
  }

  /// The difference of two counts, which is negative if the second is the larger one.
  @inlinable
  public static func - (left: ByteCount, right: ByteCount) -> ByteCount {
    ByteCount(bytes: left.bytes - right.bytes)
  }
}

extension ByteCount {
  /// A count repeated a number of times.
  @inlinable
  public static func * (count: ByteCount, times: Int64) -> ByteCount {
    ByteCount(bytes: count.bytes * times)
  }

  /// An equal share of a count, rounded down to whole bytes.
  @inlinable
  public static func / (count: ByteCount, shares: Int64) -> ByteCount {
    ByteCount(bytes: count.bytes / shares)
  }
}

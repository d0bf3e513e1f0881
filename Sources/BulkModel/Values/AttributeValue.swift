public import BulkPlatform

/// A value that an attribute can hold, or a constant of an expression.
///
/// Doubles compare as in Swift, so `NaN` differs from itself.
public enum AttributeValue: Hashable, Sendable {
  /// No value.
  case null
  /// A Boolean.
  case boolean(Bool)
  /// An integer of 16, 32 or 64 bits.
  case integer(Int64)
  /// A single- or double-precision number.
  case double(Double)
  /// A decimal number.
  case decimal(Decimal)
  /// Text.
  case string(String)
  /// A date, in seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  /// Bytes of a binary or transformable attribute.
  case binary([UInt8])
  /// A UUID.
  case uuid(UUID)
  /// A URI, as an absolute string.
  case uri(String)
}

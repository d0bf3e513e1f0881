/// A type to which `CAST` turns a value.
///
/// Core Data's guide names the first four; the printed form of constants needs the others.
package enum CastType: String, Hashable, Sendable, CaseIterable {
  case string = "NSString"
  case number = "NSNumber"
  case date = "NSDate"
  case decimal = "NSDecimalNumber"
  case binary = "NSData"
  case uuid = "NSUUID"
  case uri = "NSURL"

  /// The type of the cast value.
  var type: ExpressionType {
    switch self {
    case .string: .string
    case .number: .number
    case .date: .date
    case .decimal: .decimal
    case .binary: .binary
    case .uuid: .uuid
    case .uri: .uri
    }
  }
}

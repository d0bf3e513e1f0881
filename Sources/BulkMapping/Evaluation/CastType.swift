internal import BulkModel
internal import BulkSupport

/// A target type of `CAST`.
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

  /// The target for an attribute; `nil` if none makes its values.
  init?(for type: AttributeType) {
    guard let kind = type.kind else { return nil }
    self.init(rawValue: kind.className)
  }

  /// Whether a cast from a type is known to succeed; `nil` if it never does.
  func alwaysSucceeds(from type: ExpressionType) -> Bool? {
    if type == .null || type == self.type { return true }
    if type == .unknown { return false }
    switch self {
    case .number: if type.isNumber || type == .date { return true }
    case .date: if type.isNumber { return true }
    case .decimal:
      if type.integerRange != nil { return true }
      if type.isNumber || type == .date { return false }
    case .string: if type.isNumber || Self.writtenTypes.contains(type) { return true }
    case .uri: if type == .string { return true }
    case .binary: if type == .transformable { return true }
    case .uuid: break
    }
    return type == .string ? false : nil
  }

  private static let writtenTypes: Set<ExpressionType> = [.date, .uuid, .uri, .binary]

  func result(of type: ExpressionType) -> ExpressionType {
    guard self == .number else { return self.type }
    if type.isNumber { return type }
    return type == .date ? .double : .number
  }

  var sources: String {
    switch self {
    case .string: "a value of an attribute"
    case .number, .decimal: "a number, a date or a string"
    case .date: "a number or a string"
    case .binary, .uuid, .uri: "a string"
    }
  }

  /// The value converted to this type; nil stays nil.
  func cast(_ value: EvaluatedValue) throws(EvaluationFailure) -> EvaluatedValue {
    guard !value.isNull else { return .null }
    guard case .attribute(let attribute) = value else {
      throw EvaluationFailure("\(value.kind) cannot be cast to \(rawValue)")
    }
    guard let result = result(attribute) else {
      let text = if case .string(let text) = attribute { "\"\(text)\"" } else { value.kind }
      let hint = self == .date ? "; \(CastText.dateForms)" : ""
      throw EvaluationFailure("\(text) cannot be cast to \(rawValue)\(hint)")
    }
    return .attribute(result)
  }

  private func result(_ value: AttributeValue) -> AttributeValue? {
    switch (self, value) {
    case (.date, .date), (.binary, .binary), (.uuid, .uuid), (.uri, .uri): value
    case (.string, _): CastText.text(of: value).map { .string($0) }
    case (.number, .string(let text)):
      Int64(text).map { .integer($0) } ?? CastText.double(text).map { .double($0) }
    case (.decimal, .string(let text)): CastText.decimal(text).map { .decimal($0) }
    case (.date, .string(let text)): CastText.seconds(text).map { .date($0) }
    case (.binary, .string(let text)): Data(base64Encoded: text).map { .binary(Array($0)) }
    case (.uuid, .string(let text)): UUID(uuidString: text).map { .uuid($0) }
    case (.uri, .string(let text)): .uri(text)
    case (.number, .date(let seconds)): Number.double(seconds).value
    case (.number, _): Number(value).map { _ in value }
    case (.decimal, .date(let seconds)): Number.double(seconds).decimal.map { .decimal($0) }
    case (.decimal, _): Number(value)?.decimal.map { .decimal($0) }
    case (.date, _): Number(value).flatMap { $0.double.isNaN ? nil : .date($0.double) }
    case (.binary, _), (.uuid, _), (.uri, _): nil
    }
  }
}

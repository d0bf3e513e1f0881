internal import BulkModel
package import BulkSupport

/// Converts values to texts, and texts to values, for `CAST`.
package enum CastText {
  static func text(of value: AttributeValue) -> String? {
    switch value {
    case .null: nil
    case .boolean(let flag): flag ? "1" : "0"
    case .integer(let number): "\(number)"
    case .double(let number): text(of: number)
    case .decimal(let number): "\(number)"
    case .string(let text), .uri(let text): text
    case .date(let seconds): date(seconds)
    case .binary(let bytes): Data(bytes).base64EncodedString()
    case .uuid(let uuid): uuid.uuidString
    }
  }

  /// The shortest text of a double; whole numbers have no fraction, as in `NSNumber`.
  static func text(of number: Double) -> String {
    let isNegativeZero = number == 0 && number.sign == .minus
    guard let whole = Int64(exactly: number), abs(number) < 0x1p53, !isNegativeZero else {
      return number.description
    }
    return "\(whole)"
  }

  /// Parses a whole text as a double, in C's syntax or in that of printed expressions.
  static func double(_ text: String) -> Double? {
    guard let first = text.utf8.first, first != UInt8(ascii: " ") else { return nil }
    // Core Data does not accept hexadecimal digits as a number.
    guard !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "x") }) else { return nil }
    return Double(text).flatMap { $0.isNaN ? nil : $0 }
  }

  package static func decimal(_ text: String) -> Decimal? {
    let digits = text.utf8.filter { (48...57).contains($0) }.count
    let allowed = Set("0123456789+-.eE".utf8)
    guard digits > 0, text.utf8.allSatisfy(allowed.contains), double(text) != nil else {
      return nil
    }
    return Decimal(string: text, locale: nil).flatMap { $0.isNaN ? nil : $0 }
  }

  /// A date as `NSDate` describes it, in whole seconds: `2001-01-01 00:00:00 +0000`.
  ///
  /// A date outside the supported calendar becomes its seconds since 2001 instead.
  static func date(_ seconds: Double) -> String {
    let floor = seconds.rounded(.down)
    guard abs(floor) < 1e12 else { return text(of: seconds) }
    let whole = Int64(floor)
    let day = Int64((Double(whole) / 86_400).rounded(.down))
    let second = whole - day * 86_400
    let (year, month, date) = CivilDate.date(daysSince2001: day)
    let clock = [second / 3600, second / 60 % 60, second % 60].map { padded($0, 2) }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(date, 2)) "
      + "\(clock.joined(separator: ":")) +0000"
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number.magnitude)
    let zeros = String(repeating: "0", count: max(0, width - digits.count))
    return (number < 0 ? "-" : "") + zeros + digits
  }

  static let dateForms =
    "write 2001-12-31, 2001-12-31T23:59:59.5+01:00 or 2001-12-31 23:59:59 +0000"

  /// Parses a date to its seconds since 2001: ISO 8601, with or without time, seconds, fraction and zone, or
  /// the form of ``date(_:)``; without a zone it is UTC.
  static func seconds(_ text: String) -> Double? {
    var text = DateText(rest: text.utf8[...])
    guard let year = text.number(4), text.skip("-"), let month = text.number(2),
      text.skip("-"), let date = text.number(2),
      let day = CivilDate.daysSince2001(year, month, date)
    else { return nil }
    var seconds = day * 86_400
    var fraction = 0.0
    if text.skip("Tt ") {
      guard let hour = text.number(2), hour < 24, text.skip(":"),
        let minute = text.number(2), minute < 60
      else { return nil }
      seconds += hour * 3600 + minute * 60
      if text.skip(":") {
        guard let second = text.number(2), second < 60, let part = text.fraction() else {
          return nil
        }
        seconds += second
        fraction = part
      }
      guard let zone = text.zone() else { return nil }
      seconds -= zone
    }
    return text.rest.isEmpty ? Double(seconds) + fraction : nil
  }
}

/// The rest of a text that is read as a date.
private struct DateText {
  var rest: Substring.UTF8View

  /// Skips one of some signs; returns whether one follows.
  mutating func skip(_ signs: String) -> Bool {
    guard let first = rest.first, signs.utf8.contains(first) else { return false }
    rest.removeFirst()
    return true
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  mutating func number(_ width: Int) -> Int64? {
    let digits = rest.prefix(width)
    guard digits.count == width, digits.allSatisfy(Self.isDigit) else { return nil }
    rest = rest.dropFirst(width)
    return Int64(Substring(digits))
  }

  /// The fraction of a second, 0 if there is none.
  mutating func fraction() -> Double? {
    guard skip(".,") else { return 0 }
    let digits = rest.prefix(while: Self.isDigit)
    guard !digits.isEmpty else { return nil }
    rest = rest.dropFirst(digits.count)
    return Double("0.\(Substring(digits))")
  }

  /// The seconds by which a zone is ahead of UTC, 0 if there is none.
  mutating func zone() -> Int64? {
    let hasSpace = skip(" ")
    if skip("Zz") { return 0 }
    let unit: Int64 = rest.first == UInt8(ascii: "-") ? -60 : 60
    guard skip("+-") else { return hasSpace ? nil : 0 }
    guard let hours = number(2), hours < 24 else { return nil }
    let hasColon = skip(":")
    let minutes = rest.isEmpty && !hasColon ? 0 : number(2)
    guard let minutes, minutes < 60 else { return nil }
    return (hours * 60 + minutes) * unit
  }
}

extension Number {
  var text: String {
    switch self {
    case .integer(let number): "\(number)"
    case .double(let number): CastText.text(of: number)
    case .decimal(let number): "\(number)"
    }
  }
}

enum CivilDate {
  /// The days from 1970-01-01 to 2001-01-01.
  private static let dayOf2001: Int64 = 11_323

  /// The year, month and day of a day counted from 2001-01-01.
  ///
  /// Source: `civil_from_days` of Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms".
  static func date(daysSince2001 day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + dayOf2001 + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// The day of a date, counted from 2001-01-01; `nil` if the date does not exist.
  static func daysSince2001(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
    guard (0...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else {
      return nil
    }
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468 - dayOf2001
    let back = date(daysSince2001: days)
    return back == (year, month, day) ? days : nil
  }
}

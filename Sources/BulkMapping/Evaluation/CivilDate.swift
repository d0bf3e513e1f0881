/// Days of the Gregorian calendar, carried on backwards before its beginning.
enum CivilDate {
  /// The days from 1970-01-01 to 2001-01-01.
  private static let dayOf2001: Int64 = 11_323

  /// The year, month and day of a day, counted from 2001-01-01.
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

  /// The day of a date, counted from 2001-01-01; `nil` if there is no such date.
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

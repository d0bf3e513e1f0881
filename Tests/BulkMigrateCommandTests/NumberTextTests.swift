import BulkCoding
import Testing

@testable import BulkMigrateCommand

@Suite("Numbers and times as people read them")
struct NumberTextTests {
  @Test(
    arguments: [
      (0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-1_000, "-1,000"),
      (-999, "-999"), (.min, "-9,223,372,036,854,775,808"),
    ] as [(Int64, String)]
  )
  func `digits are grouped by three`(number: Int64, text: String) {
    #expect(number.grouped == text)
  }

  @Test(
    arguments: [
      (.zero, "0.0s"),
      (.milliseconds(449), "0.4s"),
      (.milliseconds(9_949), "9.9s"),
      (.milliseconds(9_950), "10s"),
      (.milliseconds(59_499), "59s"),
      (.milliseconds(59_500), "1m 00s"),
      (.seconds(63), "1m 03s"),
      (.seconds(3_599), "59m 59s"),
      (.seconds(7_500), "2h 05m"),
      (.seconds(360_000), "100h 00m"),
    ] as [(Duration, String)]
  )
  func `a time has its two largest units`(duration: Duration, text: String) {
    #expect(duration.short == text)
  }

  @Test func `only all is a hundred percent`() {
    #expect(NumberText.percent(999, of: 1_000) == "99%")
    #expect(NumberText.percent(1_000, of: 1_000) == "100%")
    #expect(NumberText.percent(0, of: 0) == "100%")
  }
}

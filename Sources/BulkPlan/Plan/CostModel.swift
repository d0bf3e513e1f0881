/// The cost of a migration, from rows and bytes.
///
/// The rates are those of a plain SQL migration of narrow rows on one core of a server of 2024, with the
/// store in the page cache; other machines may be twice as fast or half as fast.
enum CostModel {
  private static let rowsPerSecond = 1_500_000.0
  private static let bytesPerSecond = 350_000_000.0

  /// A sum of times, to a tenth of a second.
  static func sum(_ seconds: some Sequence<Double>) -> Double {
    (seconds.reduce(0, +) * 10).rounded() / 10
  }

  /// The time for some rows, in seconds, to a tenth.
  static func seconds(rows: Int64, bytes: Int64) -> Double {
    let time = Double(rows) / rowsPerSecond + Double(bytes) / bytesPerSecond
    return (time * 10).rounded(.up) / 10
  }
}

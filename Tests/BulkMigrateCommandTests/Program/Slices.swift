import BulkTestSupport

/// A migration that is done in many attempts, each of which is out of time from its beginning.
enum Slices {
  /// More attempts than any of the tests' migrations has transactions.
  private static let most = 100

  /// Makes attempts until one ends with another code than 6.
  ///
  /// - Returns: The codes.
  static func codes(_ attempt: () throws -> ProcessRun) rethrows -> [Int32] {
    var codes: [Int32] = []
    repeat { codes.append(try attempt().status) } while codes.last == 6 && codes.count < most
    return codes
  }
}

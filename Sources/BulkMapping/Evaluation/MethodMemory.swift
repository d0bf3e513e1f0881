internal import BulkCoding
internal import BulkModel

/// The bytes that the results of methods take while a row is evaluated, counted before they are made.
final class MethodMemory {
  let limit: Int
  /// The bytes taken so far for the row.
  private(set) var taken = 0
  /// Stops searches that are no longer wanted.
  let watch: WorkWatch

  /// The approximate size of an element of a collection in bytes, without its text.
  static let elementSize = 64

  /// - Parameters:
  ///   - limit: The bytes that results may take at once.
  ///   - watch: Stops searches that are no longer wanted.
  init(limit: Int, _ watch: WorkWatch) {
    self.limit = limit
    self.watch = watch
  }

  /// Begins another row; the results for the one before are no longer needed.
  func beginRow() { taken = 0 }

  /// Gives back what was taken since an earlier number of bytes.
  func giveBack(to earlier: Int) { taken = earlier }

  /// Counts bytes that are about to be allocated.
  func take(_ bytes: Int, _ selector: String) throws(EvaluationFailure) {
    let (sum, overflow) = taken.addingReportingOverflow(bytes)
    guard !overflow, sum <= limit else {
      throw EvaluationFailure(
        "\(selector) makes more than the \(limit) bytes that the values of a row may take; a larger "
          + "memory limit allows more"
      )
    }
    taken = sum
  }

  /// Counts elements of a collection that is about to be made, without their texts.
  func takeElements(_ count: Int, _ selector: String) throws(EvaluationFailure) {
    let (bytes, overflow) = count.multipliedReportingOverflow(by: Self.elementSize)
    try take(overflow ? .max : bytes, selector)
  }
}

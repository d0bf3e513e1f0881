internal import BulkStore

extension StepWork {
  /// The rules of the destination's model that are not checked although Core Data would check them, a
  /// sentence each.
  ///
  /// An inferred step checks no rules, as in Core Data.
  package var unaskedRules: [String] {
    keepsKeys ? [] : destination.unaskedRules.map(\.description)
  }
}

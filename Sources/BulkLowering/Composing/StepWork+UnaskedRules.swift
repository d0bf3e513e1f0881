internal import BulkStore

extension StepWork {
  /// The rules of the destination's model that objects are not asked to keep although Core Data would
  /// ask, a sentence each.
  ///
  /// Where all is inferred no rule is asked, as in Core Data.
  package var unaskedRules: [String] {
    keepsKeys ? [] : destination.unaskedRules.map(\.description)
  }
}

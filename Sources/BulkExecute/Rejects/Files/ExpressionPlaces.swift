package import BulkMapping
package import BulkPlan

/// Finds where expressions are in the mapping file of a plan.
package final class ExpressionPlaces {
  private let file: MappingFile?
  private var known: [String: ExpressionPlace?] = [:]

  package init(_ plan: MigrationPlan) {
    // The mapping was read when the plan was checked; without it the places are unknown.
    file = plan.steps.count == 1 ? (try? plan.steps[0].mapping.file()) ?? nil : nil
  }

  /// `nil` where the file has no expression for the property, `filter` or `forEach`.
  package func place(of property: String, in mapping: String) -> ExpressionPlace? {
    let name = "\(mapping).\(property)"
    if let place = known[name] { return place }
    let place = file?.place(of: property, in: mapping)
    known[name] = .some(place)
    return place
  }
}

package import BulkMapping
package import BulkPlan

/// Finds where expressions are in the mapping file of a plan.
package final class ExpressionLocations {
  private let file: MappingFile?
  private var known: [String: ExpressionLocation?] = [:]

  package init(_ plan: MigrationPlan) {
    // The mapping was read when the plan was checked; without it the locations are unknown.
    file = plan.steps.count == 1 ? (try? plan.steps[0].mapping.file()) ?? nil : nil
  }

  /// `nil` where the file has no expression for the property, `filter` or `forEach`.
  package func location(of property: String, in mapping: String) -> ExpressionLocation? {
    let name = "\(mapping).\(property)"
    if let location = known[name] { return location }
    let location = file?.location(of: property, in: mapping)
    known[name] = .some(location)
    return location
  }
}

internal import BulkModel

/// The parsed expression by which an entity mapping fetches its source objects.
///
/// Xcode writes a fetch of all objects, with the filter as text (mapping-model-format.md 3.4).
struct SourceFetch {
  /// The filter; `nil` for all objects.
  let filter: ValuePredicate?

  /// A fetch of the objects of an entity; `nil` for any other expression.
  init?(_ expression: ValueExpression, of entity: String?) {
    guard
      case .fetch(let request, _, countOnly: false) = expression,
      case .function(
        target: .variable("manager"),
        ManagerSelector.fetchRequest.rawValue,
        let arguments
      ) = request,
      arguments.count == 2,
      case .constant(.string(let name)) = arguments[0], name == entity,
      case .constant(.string(let text)) = arguments[1],
      let predicate = try? ValuePredicate(format: text)
    else { return nil }
    filter = predicate.asFilter
  }
}

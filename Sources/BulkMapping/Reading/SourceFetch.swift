internal import BulkModel

/// The expression by which an entity mapping reads its objects, taken apart.
///
/// Xcode writes a fetch of all objects, with the filter as text in it (mapping-model-format.md 3.4).
struct SourceFetch {
  /// Which objects are read; `nil` for all.
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

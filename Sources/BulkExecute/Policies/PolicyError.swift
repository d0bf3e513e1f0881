internal import BulkSupport
internal import BulkModel

/// An error in a policy, found by the policy or by the manager on its behalf.
public struct PolicyError: Error, Hashable, CustomStringConvertible {
  /// The error as a sentence.
  public let description: String
  /// Whether the description begins with the line of a program's output.
  var hasLine = false

  /// An error with a description, a sentence.
  public init(_ description: String) { self.description = description }
}

/// Unknown names in policies; each error suggests the nearest known name.
extension PolicyError {
  static func unknownEntity(_ name: String, in entities: [EntityDescription]) -> PolicyError {
    let nearest = NearestName.of(name, among: entities.map(\.name))
    return PolicyError("the destination has no entity \(name)\(suggestion(nearest))")
  }

  /// Only mappings that make objects count.
  static func unknownMapping(_ name: String, known: [String]) -> PolicyError {
    let nearest = NearestName.of(name, among: known)
    return PolicyError(
      "there is no entity mapping \(name) that makes objects\(suggestion(nearest))"
    )
  }

  static func unknownProperty(
    _ name: String,
    _ kind: String,
    of entity: String,
    known: some Sequence<String>
  ) -> PolicyError {
    let nearest = NearestName.of(name, among: known)
    return PolicyError("entity \(entity) has no \(kind) \(name)\(suggestion(nearest))")
  }

  static func brokenPath(
    _ path: String,
    from start: EntityDescription,
    in model: ManagedObjectModel
  ) -> PolicyError {
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var entity = start
    for name in names.dropLast() {
      guard
        let relationship = model.relationship(named: name, of: entity)?.relationship,
        let next = model.entity(named: relationship.destinationEntityName)
      else {
        let known = model.relationships(of: entity).filter { !$0.isToMany }.map(\.name)
        return unknownProperty(name, "to-one relationship", of: entity.name, known: known)
      }
      guard !relationship.isToMany else {
        return PolicyError(
          "relationship \(name) of entity \(entity.name) is to-many, so \(path) is not a single value"
        )
      }
      entity = next
    }
    return missingAttribute(names.last ?? "", of: entity, in: model)
  }

  private static func missingAttribute(
    _ name: String,
    of entity: EntityDescription,
    in model: ManagedObjectModel
  ) -> PolicyError {
    let attributes = model.attributes(of: entity)
    if attributes.contains(where: { $0.name == name }) {
      return PolicyError("the store holds no values of attribute \(name) of entity \(entity.name)")
    }
    if model.relationship(named: name, of: entity) != nil {
      return PolicyError("\(name) of entity \(entity.name) is a relationship, not an attribute")
    }
    return unknownProperty(name, "attribute", of: entity.name, known: attributes.map(\.name))
  }

  private static func suggestion(_ nearest: String?) -> String {
    nearest.map { "; did you mean \($0)?" } ?? ""
  }
}

/// Thrown by a policy that rejects a source object, in place of making objects from it.
///
/// The migration continues. In the end it makes nothing and reports the rejected objects, or, if it
/// leaves out objects that violate rules (``RejectPolicy/Action/quarantine``), keeps the source
/// object with the reason.
public struct RejectedObject: Error, Hashable, CustomStringConvertible {
  /// The reason as a sentence.
  public let reason: String

  /// Rejects the source object.
  public init(reason: String) { self.reason = reason }

  /// The reason as a sentence.
  public var description: String { reason }
}

/// An obstacle that a migration would find: a rule that objects violate, or a fault of the source.
public struct PreflightFinding: Codable, Hashable, Sendable {
  /// The kind of a finding.
  public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    /// Values or links violate a rule of the destination's model.
    case rule
    /// Objects have the same values as others where they must not.
    case uniqueness
    /// An expression or a filter fails.
    case expression
    /// A policy rejects source objects.
    case policy
    /// Objects lead to others that are left out, and may not be without them.
    case dependant
    /// No entity continues the source entity, so its objects are lost.
    case replacement
    /// The object at the other end of a link is not migrated.
    case lostLink
    /// A link is dangling.
    case danglingReference
    /// The object at the other end of a one-to-one relationship does not lead back.
    case oneSidedReference
    /// The file with an external value is missing.
    case missingFile
    /// The attribute's type cannot hold all digits of a number.
    case rounding
    /// The destination cannot be made where it is wanted.
    case destination
    /// The disk has too little free space.
    case space
  }

  /// The outcome of the objects, values or links.
  public enum Outcome: String, Codable, Hashable, Sendable, CaseIterable {
    /// A run makes nothing; with `--on-error quarantine` it leaves the objects out.
    case leftOut
    /// A run makes nothing in any case.
    case stops
    /// The link is not made.
    case becomesNil
    /// It is copied as it is, as Core Data copies it.
    case kept
    /// The link is lost.
    case lost
    /// The end of a one-to-one relationship that is assigned last counts.
    case lastCounts
    /// Digits of the value are lost.
    case rounded
    /// A run may fill the disk.
    case mayStop
  }

  /// An object that a finding is about.
  public struct Object: Codable, Hashable, Sendable {
    /// Its entity in the source; that of the destination where the source object is not known.
    public var entity: String
    /// The key of its row, `Z_PK`.
    public var key: Int64
    /// The value at fault, or the fault of an expression; absent where it is nil.
    public var value: String?
  }

  /// A place in a mapping file.
  public struct Place: Codable, Hashable, Sendable {
    /// The path of the mapping file.
    public var path: String
    /// The line, from 1.
    public var line: Int
    /// The column, from 1; absent where the file has none.
    public var column: Int?
  }

  /// The kind of the finding.
  public var kind: Kind
  /// The entity, or the entity mapping whose expression fails; the folder for space on the disk;
  /// the file or folder in the way of the destination.
  public var entity: String
  /// The property; `filter` or `forEach` for those of an entity mapping; empty for the destination and space on the
  /// disk.
  public var property: String
  /// The rule that is violated, in words.
  public var rule: String
  /// How many objects, values or links there are.
  public var count: Int64
  /// How many rows were checked; absent where that is not known.
  public var total: Int64?
  /// The first of them, at most ten.
  public var first: [Object]
  /// The least value of the source attribute, where one is converted.
  public var least: String?
  /// The greatest value of the source attribute, where one is converted.
  public var greatest: String?
  /// Where the expression is, where the mapping file has places.
  public var expression: Place?
  /// The outcome of the objects, values or links.
  public var outcome: Outcome
  /// The option, or the part of a mapping, that resolves it.
  public var remedy: String

  init(
    _ kind: Kind,
    of entity: String,
    _ property: String = "",
    rule: String,
    count: Int64,
    first: [Object] = [],
    outcome: Outcome
  ) {
    self.kind = kind
    self.entity = entity
    self.property = property
    self.rule = rule
    self.count = count
    self.first = first
    self.outcome = outcome
    remedy = kind.remedy(outcome)
  }

  static let shown = 10
}

extension PreflightFinding.Kind {
  fileprivate func remedy(_ outcome: PreflightFinding.Outcome) -> String {
    switch self {
    case .rule where outcome == .kept:
      "correct the objects, which no app can save as they are, or give another value in a mapping"
    case .rule:
      "correct the objects, give another value in the mapping, or run with --on-error quarantine"
    case .uniqueness:
      "\"unique\" in the entity mapping makes one object of those that agree; "
        + "--on-error quarantine keeps the first"
    case .expression where outcome == .stops:
      "correct the objects, or an expression or filter that excludes them: what \"unique\" or \"forEach\" makes "
        + "cannot be left out"
    case .expression:
      "correct the objects, an expression or filter that allows for them, or --on-error quarantine"
    case .policy: "correct the objects, or run with --on-error quarantine"
    case .dependant:
      "correct the object to which they lead; --dependants nullify where links may be nil"
    case .replacement:
      "a renaming identifier or a mapping by which entities continue, unless --allow replacement is meant"
    case .lostLink:
      "an entity mapping or a filter that takes the object at the other end; --max-loss limits the number"
    case .danglingReference where outcome == .kept:
      "nothing has to be done for the migration; set the link to nil in the source"
    case .danglingReference: "nothing has to be done"
    case .oneSidedReference: "save both ends again in the app, if one of them counts"
    case .missingFile:
      "bring the file back beside the source; the migrated reference leads to no file"
    case .rounding: "a destination attribute of type Double or Decimal"
    case .destination: "name another --destination, or make its folder, or move the file away"
    case .space: "free some space, or name another --destination or --state-dir"
    }
  }
}

internal import BulkPlan

/// What becomes of the objects of an entity.
enum Fate: String, CaseIterable {
  case removed
  case rejected
  case leftOut = "left-out"
  case made
  case changed
  case added
  case copied

  init(_ change: MigrationPlan.EntityChange.Kind) {
    switch change {
    case .copied: self = .copied
    case .renamed, .transformed: self = .changed
    case .made: self = .made
    case .added: self = .added
    case .removed: self = .removed
    }
  }

  /// The word in the legend and in tables.
  var word: String {
    switch self {
    case .removed: "removed"
    case .rejected: "rejected"
    case .leftOut: "left out by a filter"
    case .made: "made by a mapping"
    case .changed: "changed"
    case .added: "new"
    case .copied: "copied"
    }
  }

  /// Whether the objects have no place in the destination.
  var isLoss: Bool {
    switch self {
    case .removed, .rejected, .leftOut: true
    case .made, .changed, .added, .copied: false
    }
  }
}

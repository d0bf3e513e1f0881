/// What to do with objects that cannot be migrated as they are.
public struct RejectPolicy: Codable, Hashable, Sendable {
  /// What to do with an object that breaks a rule of the destination's model, or of which an expression
  /// fails.
  public enum Action: String, Codable, Hashable, Sendable, CaseIterable {
    /// End the migration without a destination, with a list of all of them.
    case stop
    /// Leave it out of the destination, and keep what is known of it.
    case quarantine
  }

  /// What to do with an object that leads to one that is left out.
  public enum Dependants: String, Codable, Hashable, Sendable, CaseIterable {
    /// The relationship becomes nil where the model allows it; else the object is left out too.
    case nullify
    /// The object is left out too.
    case reject
  }

  /// How many objects may be left out.
  public enum Limit: Codable, Hashable, Sendable {
    /// At most this many.
    case count(Int64)
    /// At most this share of the rows that are read, from 0 to 1.
    case share(Double)
    /// Any number.
    case all

    /// Whether that many may be left out.
    func allows(_ count: Int64, of rows: Int64) -> Bool {
      switch self {
      case .count(let limit): count <= limit
      case .share(let share): Double(count) <= Double(rows) * share
      case .all: true
      }
    }

    /// The limit of what follows, when some are left out already; a share is one of the rows that each leg reads.
    func left(after count: Int64) -> Limit {
      switch self {
      case .count(let limit): .count(max(limit - count, 0))
      case .share, .all: self
      }
    }
  }

  /// What to do with an object that cannot be migrated as it is.
  public var action = Action.stop
  /// What to do with those that depend on it.
  public var dependants = Dependants.nullify
  /// How many may be left out.
  public var limit = Limit.all

  /// A policy.
  public init(
    _ action: Action = .stop,
    dependants: Dependants = .nullify,
    limit: Limit = .all
  ) {
    (self.action, self.dependants, self.limit) = (action, dependants, limit)
  }
}

extension RejectPolicy.Limit: CustomStringConvertible {
  /// The limit as it is typed.
  public var description: String {
    switch self {
    case .count(let count): "\(count)"
    case .share(let share): "\(share * 100)%"
    case .all: "all"
    }
  }
}

/// The treatment of objects that cannot be migrated as they are.
public struct RejectPolicy: Codable, Hashable, Sendable {
  /// The treatment of an object that violates a rule of the destination's model, or for which an
  /// expression fails.
  public enum Action: String, Codable, Hashable, Sendable, CaseIterable {
    /// End the migration without a destination, with a list of all of them.
    case stop
    /// Leave it out of the destination, and write it to the reject files.
    case quarantine

    var leavesOut: Bool {
      switch self {
      case .stop: false
      case .quarantine: true
      }
    }
  }

  /// The treatment of an object that refers to one that is left out.
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
    case all

    func allows(_ count: Int64, of rows: Int64) -> Bool {
      switch self {
      case .count(let limit): count <= limit
      case .share(let share): Double(count) <= Double(rows) * share
      case .all: true
      }
    }
  }

  /// The treatment of an object that cannot be migrated as it is.
  public var action = Action.stop
  /// The treatment of objects that depend on one that is left out.
  public var dependants = Dependants.nullify
  /// How many may be left out.
  public var limit = Limit.all

  /// A policy by its action, the treatment of dependants and its limit.
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
    case .count(let count): return "\(count)"
    case .share(let share):
      // Nine digits behind the point, so that 0.07 is 7 %.
      let percent = (share * 1e11).rounded() / 1e9
      return Int(exactly: percent).map { "\($0)%" } ?? "\(percent)%"
    case .all: return "all"
    }
  }
}

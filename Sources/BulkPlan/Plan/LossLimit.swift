/// How much a migration may lose: objects, values and links, counted together.
public enum LossLimit: Codable, Hashable, Sendable {
  /// So many; 0 for nothing.
  case count(Int64)
  /// Whatever the plan says.
  case all

  /// Whether so much may be lost.
  public func allows(_ count: Int64) -> Bool {
    switch self {
    case .count(let limit): count <= limit
    case .all: true
    }
  }

  /// How much more may be lost when so much is; less than 0 where it was too much.
  package func left(after lost: Int64) -> LossLimit {
    switch self {
    case .count(let limit): .count(limit - lost)
    case .all: .all
    }
  }
}

extension LossLimit: CustomStringConvertible {
  /// The limit as it is typed.
  public var description: String {
    switch self {
    case .count(0): "none"
    case .count(let limit): "\(limit)"
    case .all: "all"
    }
  }
}

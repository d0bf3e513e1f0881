/// The limit of a migration's losses: objects, values and links, counted together.
public enum LossLimit: Codable, Hashable, Sendable {
  /// At most this many; 0 for none.
  case count(Int64)
  /// No limit.
  case all

  /// Whether the limit allows a loss.
  public func allows(_ count: Int64) -> Bool {
    switch self {
    case .count(let limit): count <= limit
    case .all: true
    }
  }

  /// The remaining allowance after a loss; negative if the loss exceeds the limit.
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

extension ElementChain {
  /// Whether the elements follow from the owner of the objects alone: no step asks for anything of the row
  /// from which the path to the owner begins.
  var followsFromOwner: Bool {
    steps.allSatisfy { step in
      switch step {
      case .map(let body): body.staysInside(0)
      case .filter(let condition): condition.staysInside(0)
      case .present: true
      }
    }
  }
}

extension ExpressionNode {
  /// Whether the value follows from inputs that are at most some frames further out, without chance.
  fileprivate func staysInside(_ frames: Int) -> Bool {
    switch operation {
    case .constant, .now: true
    case .input(_, let frame): frame <= frames
    case .map(let collection, let body), .of(let collection, let body):
      collection.staysInside(frames) && body.staysInside(frames + 1)
    case .call(_, let arguments): arguments.allSatisfy { $0.staysInside(frames) }
    case .cast(let operand, _), .symbol(_, let operand): operand.staysInside(frames)
    case .aggregate(let elements): elements.allSatisfy { $0.staysInside(frames) }
    case .set(_, let first, let second): first.staysInside(frames) && second.staysInside(frames)
    case .ternary(let condition, let then, let otherwise):
      condition.staysInside(frames) && then.staysInside(frames) && otherwise.staysInside(frames)
    case .subquery(let collection, let condition):
      collection.staysInside(frames) && condition.staysInside(frames + 1)
    case .random: false
    }
  }
}

extension PredicateNode {
  fileprivate func staysInside(_ frames: Int) -> Bool {
    switch self {
    case .constant: true
    case .comparison(let comparison):
      comparison.left.staysInside(frames) && comparison.right.staysInside(frames)
    case .not(let part): part.staysInside(frames)
    case .and(let parts), .or(let parts): parts.allSatisfy { $0.staysInside(frames) }
    }
  }
}

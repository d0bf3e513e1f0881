/// How the elements of a collection come of the objects of a relationship, step by step.
struct ElementChain {
  /// What is done with each element.
  enum Step {
    /// It becomes another value.
    case map(ExpressionNode)
    /// It stays if it satisfies a predicate.
    case filter(PredicateNode)
    /// It stays if it is not nil.
    case present
  }

  /// The input with the objects, and how many frames further out it stands.
  let input: Int
  let frames: Int
  /// The steps, in their order.
  let steps: [Step]

  /// The chain of a node; `nil` if its elements come in another way.
  init?(_ node: ExpressionNode) {
    switch node.operation {
    case .input(let input, let frames):
      self.init(input: input, frames: frames, steps: [])
    case .map(let collection, let body):
      self.init(collection, then: .map(body))
    case .subquery(let collection, let condition):
      self.init(collection, then: .filter(condition))
    case .call(.unionOfObjects, let arguments) where arguments.count == 1:
      self.init(arguments[0], then: .present)
    case .constant, .of, .call, .cast, .aggregate, .set, .ternary, .symbol, .now, .random:
      return nil
    }
  }

  private init?(_ node: ExpressionNode, then step: Step) {
    guard let chain = ElementChain(node) else { return nil }
    self.init(input: chain.input, frames: chain.frames, steps: chain.steps + [step])
  }

  private init(input: Int, frames: Int, steps: [Step]) {
    self.input = input
    self.frames = frames
    self.steps = steps
  }

  /// Whether elements of a set become other values, of which equal ones would have to be found: those
  /// of a list stay.
  var mayRepeat: Bool {
    for step in steps {
      switch step {
      case .present: return false
      case .map: return true
      case .filter: continue
      }
    }
    return false
  }
}

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

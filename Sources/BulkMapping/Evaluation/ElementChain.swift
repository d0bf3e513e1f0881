/// The steps that turn the objects of a relationship into the elements of a collection.
struct ElementChain {
  enum Step {
    case map(ExpressionNode)
    case filter(PredicateNode)
    /// It is kept if it is not nil.
    case present
  }

  /// The input with the objects, and how many frames further out it is.
  let input: Int
  let frames: Int
  let steps: [Step]
}

extension ElementChain {
  /// The chain of a node; `nil` if its elements have another origin.
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
    case .constant, .of, .call, .message, .cast, .transformed, .aggregate, .set, .ternary, .symbol,
      .now,
      .random, .uuid, .rowKey, .objectID:
      return nil
    }
  }

  private init?(_ node: ExpressionNode, then step: Step) {
    guard let chain = ElementChain(node) else { return nil }
    self.init(input: chain.input, frames: chain.frames, steps: chain.steps + [step])
  }

  /// Whether elements of a set are mapped to other values, which would need deduplication; a list keeps
  /// equal elements.
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

  /// Whether the elements depend only on the owner of the objects: no step reads an input of the row from
  /// which the path to the owner begins.
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
  /// Whether the value depends only on inputs within a number of frames, and not on random numbers.
  fileprivate func staysInside(_ frames: Int) -> Bool {
    switch operation {
    case .constant, .now: true
    case .input(_, let frame): frame <= frames
    case .map(let collection, let body), .of(let collection, let body):
      collection.staysInside(frames) && body.staysInside(frames + 1)
    case .call(_, let arguments), .message(_, let arguments):
      arguments.allSatisfy { $0.staysInside(frames) }
    case .cast(let operand, _), .symbol(_, let operand), .transformed(_, let operand):
      operand.staysInside(frames)
    case .aggregate(let elements): elements.allSatisfy { $0.staysInside(frames) }
    case .set(_, let first, let second): first.staysInside(frames) && second.staysInside(frames)
    case .ternary(let condition, let then, let otherwise):
      condition.staysInside(frames) && then.staysInside(frames) && otherwise.staysInside(frames)
    case .subquery(let collection, let condition):
      collection.staysInside(frames) && condition.staysInside(frames + 1)
    case .random, .uuid, .rowKey, .objectID: false
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

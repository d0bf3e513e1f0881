internal import BulkSupport
internal import BulkModel

/// Compiles an expression into typed nodes, and determines their inputs.
///
/// Objects at the end of to-one relationships remain paths while keys are read from them, so that only the
/// values that are needed become inputs.
struct ExpressionCompiler {
  /// The nesting limit of operations.
  ///
  /// Twice the parser's limit, because a key path may contain further operations.
  static let depthLimit = 200

  enum Operand {
    case path(ObjectPath)
    /// A value, with the scope of the objects in it.
    case node(ExpressionNode, members: InputScope? = nil)

    static func value(
      _ operation: ExpressionNode.Operation,
      _ type: ExpressionType,
      mayBeNil: Bool,
      members: InputScope? = nil
    ) -> Operand {
      .node(ExpressionNode(operation, type, mayBeNil: mayBeNil), members: members)
    }
  }

  /// An object at the end of to-one relationships from the object of a frame.
  struct ObjectPath {
    let scope: InputScope
    /// The number of frames around the frame of the scope.
    let level: Int
    let path: [String]
    let entity: EntityDescription
    let mayBeNil: Bool
  }

  let model: ManagedObjectModel
  /// The type of `$element`; `nil` if the variable does not exist.
  private let element: ExpressionType?
  /// The scopes of the frames, the source object's first.
  private(set) var scopes: [InputScope]
  /// The objects to which variables are bound, and the types of those that stand for values instead.
  private var variables: [String: (element: ObjectPath, type: ExpressionType?)] = [:]
  private var depth = 0
  /// The number of operands that were begun.
  var operands = 0
  private var randomSites = 0
  private(set) var risks: [RunTimeRisk] = []
  /// Whether binary values at the ends of key paths are only compared with nil.
  var readsPresence = false
  var callsMethods = false
  var castsAnyText = false
  /// What the conditions around the part say that is compiled.
  var known = KnownValues()
  /// The unknown names so far; `nil` where the first fault ends the work.
  private(set) var unknownNames: [ExpressionFault]?

  init(
    _ entity: EntityDescription,
    in model: ManagedObjectModel,
    element: ExpressionType? = nil
  ) {
    self.model = model
    self.element = element
    scopes = [InputScope(entity)]
  }

  var inputs: [SourceInput] { scopes[0].inputs }

  mutating func add(_ risk: RunTimeRisk) {
    if !risks.contains(risk) { risks.append(risk) }
  }

  mutating func nextRandomSite() -> Int {
    randomSites += 1
    return randomSites
  }

  /// All names in an expression that are unknown, in the order of evaluation.
  static func unknownNames(
    in expression: ValueExpression,
    of entity: EntityDescription,
    _ model: ManagedObjectModel,
    element: ExpressionType?
  ) -> [ExpressionFault] {
    var compiler = ExpressionCompiler(entity, in: model, element: element)
    compiler.unknownNames = []
    _ = try? compiler.node(expression)
    return compiler.unknownNames ?? []
  }

  /// A value of any type in place of a part that has a fault, where all unknown names are wanted.
  mutating func substitute(after fault: ExpressionFault) throws(ExpressionFault) -> ExpressionNode {
    guard unknownNames != nil else { throw fault }
    var follows = false
    // Of a value of any type no key is known to be wrong.
    if case .keyOfValue(_, let type) = fault {
      follows = type.isOpen || type == .collection(of: .unknown)
    }
    if fault.isUnknown, !follows { unknownNames?.append(fault) }
    // Not a constant, which would be computed with.
    return ExpressionNode(.rowKey, .unknown, mayBeNil: false)
  }

  /// Compiles at the next nesting level.
  mutating func deeper<T>(
    _ body: (inout ExpressionCompiler) throws(ExpressionFault) -> T
  ) throws(ExpressionFault) -> T {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { throw .tooDeep(limit: Self.depthLimit) }
    return try body(&self)
  }

  /// Compiles the part that is evaluated for each object of a scope.
  mutating func inside<T>(
    _ scope: InputScope,
    _ body: (inout ExpressionCompiler, ObjectPath) throws(ExpressionFault) -> T
  ) throws(ExpressionFault) -> T {
    scopes.append(scope)
    defer { scopes.removeLast() }
    let element = object(at: scopes.count - 1)
    return try deeper { compiler throws(ExpressionFault) in try body(&compiler, element) }
  }

  /// Compiles with a variable bound to each object of a scope, or to each value of a type.
  mutating func binding<T>(
    _ variable: String,
    to scope: InputScope,
    ofValues type: ExpressionType? = nil,
    _ body: (inout ExpressionCompiler) throws(ExpressionFault) -> T
  ) throws(ExpressionFault) -> T {
    let outer = variables[variable]
    defer { variables[variable] = outer }
    return try inside(scope) { compiler, element throws(ExpressionFault) in
      compiler.variables[variable] = (element, type)
      return try body(&compiler)
    }
  }

  var source: ObjectPath { object(at: 0) }

  private func object(at level: Int) -> ObjectPath {
    let scope = scopes[level]
    return ObjectPath(scope: scope, level: level, path: [], entity: scope.entity, mayBeNil: false)
  }

  func variable(_ name: String) throws(ExpressionFault) -> Operand {
    if let (bound, type) = variables[name] {
      return type.map { .node(self.element(of: bound, $0)) } ?? .path(bound)
    }
    if name == "source" { return .path(source) }
    if name == ElementVariable.name, let element {
      return .node(self.element(of: source, element))
    }
    if MappingVariables.ofMigration.contains(name) { throw .unsupportedVariable(name) }
    let nearest = NearestName.of(name, among: ["source"] + variables.keys.sorted())
    throw .unknownVariable(name, nearest: nearest)
  }

  /// Whether a value at the end of keys of an object is known not to be nil.
  func isPresent(_ keys: [String], of path: ObjectPath) -> Bool {
    path.level == 0 && known.present.contains(keys)
  }

  /// The node of the value for which a frame is made.
  private func element(of path: ObjectPath, _ type: ExpressionType) -> ExpressionNode {
    input(path.scope.index([], .element).index, of: path, type, mayBeNil: false)
  }

  /// The node of an input of an object's frame.
  func input(
    _ index: Int,
    of path: ObjectPath,
    _ type: ExpressionType,
    mayBeNil: Bool
  ) -> ExpressionNode {
    ExpressionNode(.input(index, frame: scopes.count - 1 - path.level), type, mayBeNil: mayBeNil)
  }

  /// The value of an operand; an object becomes an input.
  func node(of operand: Operand) -> ExpressionNode { materialized(operand).node }

  /// The value of an operand, with the scope of the objects in it.
  func materialized(_ operand: Operand) -> (node: ExpressionNode, members: InputScope?) {
    switch operand {
    case .node(let node, let members): return (node, members)
    case .path(let path):
      let object = SourceInput.Content.object(entity: path.entity.name)
      let (index, members) = path.scope.index(path.path, object, members: path.entity)
      let type = ExpressionType.object(entity: path.entity.name)
      return (input(index, of: path, type, mayBeNil: path.mayBeNil), members)
    }
  }
}

/// The values of a source object of which the conditions around a part say something, by their keys from the object.
struct KnownValues {
  /// Those that are not nil.
  private(set) var present: Set<[String]> = []
  /// The texts that match a regular expression.
  private(set) var matching: Set<[String]> = []

  /// Adds what follows from a predicate that holds, or that does not.
  mutating func add(_ predicate: ValuePredicate, holds: Bool) {
    switch predicate {
    case .constant: break
    case .not(let part): add(part, holds: !holds)
    case .and(let parts): if holds { for part in parts { add(part, holds: true) } }
    case .or(let parts): if !holds { for part in parts { add(part, holds: false) } }
    case .comparison(let comparison): add(comparison, holds)
    }
  }

  private mutating func add(_ comparison: ValuePredicate.Comparison, _ holds: Bool) {
    guard comparison.modifier == .direct, let path = comparison.left.sourcePath else { return }
    let isWithNil = comparison.right == .constant(.null)
    // What holds for one value does not hold for nil.
    let excludesNil =
      switch comparison.operator {
      case .notEqualTo: holds == isWithNil
      case .equalTo: holds != isWithNil
      default: holds && !isWithNil
      }
    guard excludesNil, comparison.right.isConstant else { return }
    for count in 1...path.count { present.insert(Array(path.prefix(count))) }
    if comparison.operator == .matches { matching.insert(path) }
  }
}

extension ValueExpression {
  /// The keys that lead to it from the source object; `nil` for other values.
  var sourcePath: [String]? {
    guard case .keyPath(let path, let target) = self, !path.contains("@") else { return nil }
    let keys = path.split(separator: ".").map(String.init)
    if target == .variable("source") || target == .evaluatedObject { return keys }
    return target.sourcePath.map { $0 + keys }
  }

  fileprivate var isConstant: Bool {
    switch self {
    case .constant: true
    case .aggregate(let elements): elements.allSatisfy { $0.isConstant && $0 != .constant(.null) }
    default: false
    }
  }
}

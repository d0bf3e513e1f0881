import BulkTestSupport

/// A few objects in memory, of which expressions are asked.
struct School {
  static let constants = RunConstants(now: 700_000_000, randomSeed: 42, storeUUID: "A-1")

  let model: ManagedObjectModel
  let objects: [TestObject]

  init() throws {
    model = try Self.model()
    objects = Self.objects
  }

  private static func model() throws -> ManagedObjectModel {
    var hidden = AttributeDescription.optional("hidden")
    hidden.isTransient = true
    var address = AttributeDescription.optional("address", .composite)
    address.compositeName = "Address"
    address.elements = [.optional("street"), .optional("zip", .integer32)]
    return try .of(
      .init(
        "Student",
        [
          .required("name"), .optional("nick"), .required("age", .integer16),
          .optional("big", .integer64), .optional("height", .double),
          .optional("absent", .integer32),
          .optional("isActive", .boolean), .optional("price", .decimal), .optional("born", .date),
          .optional("badge", .uuid), .optional("site", .uri), .optional("data", .binaryData),
          .optional("face", .transformable), .optional("digits"), hidden, address,
        ],
        [
          .toOne("clazz", "Clazz"), .toOne("mentor", "Student"), .toMany("courses", "Course"),
          .toMany("notes", "Note", isOrdered: true),
        ]
      ),
      .init("Clazz", [.optional("clazzName"), .optional("room", .integer16)]),
      .init(
        "Course",
        [.optional("title"), .optional("chapters", .integer16), .optional("fee", .double)],
        [.toOne("teacher", "Student"), .toMany("students", "Student")]
      ),
      .init("Note", [.optional("text"), .optional("weight", .integer32)])
    )
  }

  private static let objects = [
    TestObject(
      "Student",
      1,
      [
        "name": "Zoë", "age": 41, "big": .integer(.max), "height": .double(1.75),
        "isActive": .boolean(true), "price": .decimal(Decimal(999) / 100), "born": .date(3600.5),
        "badge": UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F").map { .uuid($0) }
          ?? .null,
        "site": .uri("https://a.example"), "data": .binary([1, 2]), "face": .binary([3]),
        "digits": "12", "address.street": "Hauptstraße", "address.zip": 10_115,
      ],
      links: ["clazz": [1], "courses": [1, 2, 3], "notes": [3, 1, 2]]
    ),
    TestObject("Student", 2, ["name": "Ann", "age": 20], links: ["mentor": [1]]),
    TestObject("Student", 3, ["name": "Bob", "age": 0, "digits": "x"]),
    TestObject("Clazz", 1, ["clazzName": "文科一班", "room": 7]),
    TestObject(
      "Course",
      1,
      ["title": "物理", "chapters": 5, "fee": .double(1.5)],
      links: ["teacher": [2], "students": [1, 2]]
    ),
    TestObject(
      "Course",
      2,
      ["title": "化学", "chapters": 9],
      links: ["teacher": [2], "students": [2]]
    ),
    TestObject("Course", 3, ["title": "生物", "chapters": 10, "fee": .double(2.5)]),
    TestObject("Note", 1, ["text": "a", "weight": 2]),
    TestObject("Note", 2, ["text": "a", "weight": 3]),
    TestObject("Note", 3, ["text": "c"]),
  ]

  // MARK: Expressions

  /// What an expression gives for one student, in words; a failure or a fault begins with its name.
  func value(_ text: String, student: Int64 = 1) throws -> String {
    let entity = try self.entity()
    let expression = try ValueExpression(format: text)
    do throws(ExpressionFault) {
      let program = try ExpressionProgram(expression, of: entity, in: model)
      let page = page(of: program.inputs, keys: [student])
      let result = program.evaluate(page, in: Self.constants)
      if let failure = result.failures.first { return "failure: \(failure.message)" }
      return Self.text(of: result.values[0])
    } catch {
      return "fault: \(error)"
    }
  }

  /// Whether a predicate holds for one student, in words.
  func truth(_ text: String, student: Int64 = 1) throws -> String {
    let entity = try self.entity()
    let predicate = try ValuePredicate(format: text)
    do throws(ExpressionFault) {
      let program = try PredicateProgram(predicate, of: entity, in: model)
      let page = page(of: program.inputs, keys: [student])
      let result = program.evaluate(page, in: Self.constants)
      if let failure = result.failures.first { return "failure: \(failure.message)" }
      return "\(result.values[0])"
    } catch {
      return "fault: \(error)"
    }
  }

  func entity() throws -> EntityDescription {
    guard let entity = model.entity(named: "Student") else { throw NoSuchObject(key: 0) }
    return entity
  }

  // MARK: Inputs

  struct NoSuchObject: Error { let key: Int64 }

  /// The page of some students.
  func page(of inputs: [SourceInput], keys: [Int64]) -> ValuePage {
    var columns: [SourceInput: [EvaluatedValue]] = [:]
    for input in inputs {
      columns[input] = keys.map { key in
        object("Student", key).map { value(of: input, $0) } ?? .null
      }
    }
    return ValuePage(keys: keys, columns: columns)
  }

  private func object(_ entity: String, _ key: Int64) -> TestObject? {
    objects.first { $0.entity == entity && $0.key == key }
  }

  private func value(of input: SourceInput, _ start: TestObject) -> EvaluatedValue {
    switch input.content {
    case .element: return .null
    case .attribute:
      guard let owner = end(of: input.path.dropLast(), start) else { return .null }
      return .attribute(owner.values[input.path.last ?? ""] ?? .null)
    case .presence:
      guard let owner = end(of: input.path.dropLast(), start) else { return .null }
      let value = owner.values[input.path.last ?? ""] ?? .null
      return .attribute(value == .null ? .null : .integer(1))
    case .object:
      return end(of: input.path[...], start).map { .object(loaded($0, input.members)) } ?? .null
    case .objects(let entity, let isOrdered):
      guard let owner = end(of: input.path.dropLast(), start) else { return .null }
      let members = (owner.links[input.path.last ?? ""] ?? []).compactMap { object(entity, $0) }
      return .collection(
        ValueCollection(
          isOrdered ? .orderedSet : .set,
          ofDifferent: members.map { loaded($0, input.members) }
        )
      )
    }
  }

  private func loaded(_ object: TestObject, _ members: [SourceInput]) -> ObjectValue {
    let number = Int64(model.entities.firstIndex { $0.name == object.entity } ?? 0)
    return ObjectValue(
      ObjectIdentity(entityNumber: number, key: object.key),
      values: members.map { value(of: $0, object) }
    )
  }

  private func end(of path: ArraySlice<String>, _ start: TestObject) -> TestObject? {
    var end = start
    for name in path {
      guard
        let owner = model.entity(named: end.entity),
        let found = model.relationship(named: name, of: owner),
        let key = end.links[name]?.first,
        let next = object(found.relationship.destinationEntityName, key)
      else { return nil }
      end = next
    }
    return end
  }

  // MARK: Words

  static func text(of value: EvaluatedValue) -> String {
    switch value {
    case .attribute(let value): text(of: value)
    case .object(let object):
      "\(["Clazz", "Course", "Note", "Student"][Int(object.identity.entityNumber)]) "
        + "\(object.identity.key)"
    case .collection(let collection):
      "\(collection.kind)(" + collection.elements.map { text(of: $0) }.joined(separator: ", ") + ")"
    }
  }

  static func text(of value: AttributeValue) -> String {
    switch value {
    case .null: "nil"
    case .boolean(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let number): "decimal \(number)"
    case .string(let text): "'\(text)'"
    case .date(let seconds): "date \(seconds)"
    case .binary(let bytes): "\(bytes)"
    case .uuid(let uuid): uuid.uuidString
    case .uri(let text): "<\(text)>"
    }
  }
}

/// Whether a result is as expected; of a fault or a failure its kind and a part of its reason count.
func isAs(_ found: String, _ expected: String) -> Bool {
  guard expected.hasPrefix("fa"), let colon = expected.firstRange(of: ": ") else {
    return found == expected
  }
  return found.hasPrefix(expected[..<colon.upperBound])
    && found.contains(expected[colon.upperBound...])
}

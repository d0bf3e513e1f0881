import BulkTestSupport
import Testing

/// The shapes of expressions that 261 mapping models of 33 public repositories hold.
struct CorpusExpressionTests {
  private let school: School

  init() throws { school = try School() }

  @Test(
    arguments: [
      // What a row can answer is evaluated.
      ("$source.name", "'Zoë'"), ("-1", "-1"), ("0", "0"), ("30", "30"), ("\"\"", "''"),
      ("\" \"", "' '"),
      ("\"3.0.0\"", "'3.0.0'"), ("\"Unknown\"", "'Unknown'"), ("TRUE", "true"), ("FALSE", "false"),
      ("$source.clazz.clazzName", "'文科一班'"), ("age", "41"), ("now()", "date 700000000.0"),
      ("nil", "nil"),
      ("$source.clazz", "Clazz 1"),
      ("$source.courses.@distinctUnionOfSets.students", "set(Student 1, Student 2)"),
      ("courses.@count", "3"), ("uppercase:(name)", "'ZOË'"),
      ("FUNCTION($source, \"valueForKey:\", \"name\")", "'Zoë'"),
      ("FUNCTION($source, \"valueForKeyPath:\", \"clazz.clazzName\")", "'文科一班'"),
      // As in a public example of a mapping that converts heights.
      ("($source.height - 32.0) / 1.8", "-16.805555555555554"),
      ("importDate", "fault: entity Student has no property importDate"),
      // What cannot be evaluated is refused.
      ("FETCH(nil, nil, NO)", "fault: FETCH cannot be evaluated row by row"),
      ("FUNCTION($source, \"valueForKy:\", \"name\")", "fault: cannot be called; did you mean"),
      ("FUNCTION($source, \"valueForKey:\")", "fault: valueForKey: takes 1 argument, not 0"),
      ("FUNCTION($source, \"valueForKey:\", name)", "fault: takes a constant string, not a string"),
      ("FUNCTION($source, \"delete\")", "fault: delete cannot be called"),
      ("distanceToLocation:fromLocation:(1, 2)", "fault: cannot be called"),
    ] as [(String, String)]
  )
  func `what a row can answer is evaluated`(text: String, expected: String) throws {
    let found = try school.value(text)
    #expect(isAs(found, expected))
  }

  @Test(
    arguments: [
      "FUNCTION($entityPolicy, \"isbnForIsbn:\", $source.name)",
      "FUNCTION($entityPolicy, \"epoch\")",
      "FUNCTION($entityPolicy, \"a:b:\", $source.name, $source.age)",
      "FUNCTION($entityPolicy, \"a:manager:\", $source.name, $manager)",
      "FUNCTION($entityPolicy, \"a:b:c:\", $source.name, $source.age, $source.nick)",
      "FUNCTION($entityPolicy, \"a:manager\", $source, $manager)",
      "FUNCTION($entityPolicy, \"emptyPendingMembers\")",
      "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"M\", $source.courses)",
      "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", \"r\", $source.courses)",
      "FUNCTION($manager, \"authorEntitiesFromListString:\", $source.name)",
    ]
  )
  func `what a policy or the manager must answer is handed back`(text: String) throws {
    let isForManager = text.hasPrefix("FUNCTION($manager,")
    let answerer = isForManager ? "migration manager" : "entity migration policy"
    let found = try school.value(text)
    #expect(found.hasSuffix("must be answered by the \(answerer)"))
  }

  @Test(
    arguments: [
      ("age < 10000", "true"), ("face != nil", "true"), ("courses.@count==1", "false"),
      ("courses.@count>1", "true"), ("name == \"Zoë\"", "true"),
    ] as [(String, String)]
  )
  func `filters of real mapping models`(text: String, expected: String) throws {
    let found = try school.truth(text)
    #expect(isAs(found, expected))
  }

  @Test func `an archive's own call of a predefined function is one`() throws {
    let call = ValueExpression.function(
      target: .classConstant("_NSPredicateUtilities"),
      selector: "now",
      arguments: []
    )
    let program = try ExpressionProgram(call, of: school.entity(), in: school.model)
    let page = ValuePage(keys: [1], columns: [:])
    #expect(
      program.evaluate(page, in: School.constants).values == [.attribute(.date(700_000_000))]
    )
  }

  @Test(
    arguments: [
      (.predefined(selector: "sqrt:", arguments: []), "sqrt: takes 1 argument, not 0"),
      (.predefined(selector: "sqr:", arguments: []), "sqr: cannot be called; did you mean sqrt:?"),
      (.symbol(.first), "FIRST without a collection cannot be evaluated row by row"),
      (.classConstant("NSDate"), "the class NSDate cannot be evaluated row by row"),
      (.keyPath("", of: .evaluatedObject), "entity Student has no property "),
      (.keyPath("clazz..room", of: .evaluatedObject), "entity Clazz has no property "),
      (.keyPath("courses.@", of: .evaluatedObject), "unknown collection operator @"),
    ] as [(ValueExpression, String)]
  )
  func `an expression that no parser made is refused`(
    expression: ValueExpression,
    fault: String
  ) throws {
    let text = failure { try ExpressionProgram(expression, of: school.entity(), in: school.model) }
    #expect(text == fault)
  }

  @Test func `an expression that is too deep is refused`() throws {
    var expression = ValueExpression.keyPath("age", of: .evaluatedObject)
    for _ in 0..<5000 {
      expression = .predefined(selector: "add:to:", arguments: [expression, .constant(1)])
    }
    #expect(throws: ExpressionFault.tooDeep(limit: 200)) {
      try ExpressionProgram(expression, of: school.entity(), in: school.model)
    }
    let path = Array(repeating: "courses.students", count: 5000).joined(separator: ".")
    #expect(throws: ExpressionFault.tooDeep(limit: 200)) {
      try ExpressionProgram(
        .keyPath(path, of: .evaluatedObject),
        of: school.entity(),
        in: school.model
      )
    }
  }
}

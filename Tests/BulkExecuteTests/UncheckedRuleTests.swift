import BulkTestSupport
import Testing

@Suite("Rules of a model that cannot be checked", .tags(.promise32))
struct UncheckedRuleTests {
  private static func planned(_ rule: String) throws -> Planned {
    var code = AttributeDescription.optional("code")
    code.validationPredicates = [try ValuePredicate(format: rule)]
    return try Planned(
      TestStore(
        .of(EntityDescription("Note", [.optional("code")])),
        TestObject("Note", 1, ["code": "abab"])
      ),
      to: .of(EntityDescription("Note", [code])),
      by: [.of("Note", "Note", ["code": "$source.code"])]
    )
  }

  @Test(
    arguments: [
      (
        #"SELF MATCHES "a(?w)""#,
        #"rule SELF MATCHES "a(?w)" of Note.code is not checked: it cannot be matched: "#
          + "at character 4 there is the flag w, which is not supported"
      ),
      (
        #"SELF MATCHES[c] "a+""#,
        #"rule SELF MATCHES[c] "a+" of Note.code is not checked: it matches with options"#
      ),
      (
        #"SELF BEGINSWITH "a""#,
        #"rule SELF BEGINSWITH "a" of Note.code is not checked: it has none of the forms in which "#
          + "models keep limits"
      ), (#"SELF MATCHES "(ab)+""#, ""),
    ]
  )
  func `the plan warns of them, and the run's result names them`(
    rule: String,
    sentence: String
  ) throws {
    let planned = try Self.planned(rule)
    #expect(planned.plan.warnings == [sentence].filter { !$0.isEmpty })
    #expect(try planned.run().uncheckedRules == [sentence].filter { !$0.isEmpty })
  }
}

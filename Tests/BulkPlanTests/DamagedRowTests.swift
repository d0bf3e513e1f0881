import BulkTestSupport
import Testing

/// Rows that hold what their columns cannot, as a damaged store may.
struct DamagedRowTests {
  private static let columns = [
    "ZI16", "ZI32", "ZI64", "ZFLAG", "ZREAL", "ZSINGLE", "ZMONEY", "ZTEXT", "ZDAY", "ZUUID",
    "ZLINK",
    "ZBYTES", "ZIMAGE", "ZFILE", "ZBOX",
  ]

  /// What every column of a row is set to, by the row's key.
  private static let wrong = [
    "'text'", "x'00ff'", "7", "-0.5", "9e999", "CAST(x'41ff' AS TEXT)", "x''", "''",
    "-9223372036854775808", "x'02414243'",
  ]

  private let agreement: Agreement

  init() throws {
    agreement = try Agreement(
      spoiling: Self.wrong.enumerated().map { key, value in
        let setters = Self.columns.map { "\($0) = \(value)" }.joined(separator: ", ")
        return "UPDATE ZITEM SET \(setters) WHERE Z_PK = \(key + 1)"
      } + ["UPDATE ZBOX SET ZSHELF = 'x', ZLABEL = 5 WHERE Z_PK = 1"]
    )
  }

  @Test(arguments: AttributeAgreementTests.pushed + AttributeAgreementTests.evaluated)
  func `nothing stops at a wrong value`(text: String, type: AttributeType) throws {
    let attribute = AttributeDescription.optional("value", type)
    if case .sql(let expression) = try agreement.compiled(text, attribute) {
      #expect(try agreement.written(expression, attribute).count == 300)
    }
    #expect(try agreement.evaluated(text, attribute).rows.count == 300)
  }

  @Test(arguments: FilterAgreementTests.pushed)
  func `no filter stops at a wrong value`(text: String) throws {
    if let condition = try agreement.compiled(filter: text).condition {
      #expect(try agreement.keys(condition).count <= 300)
    }
    #expect(try agreement.evaluated(filter: text).keys.count <= 300)
  }

  /// Of numbers that inference leaves in columns: formats/migration.md 2.6.
  private static func converted() throws -> Agreement {
    try Agreement(spoiling: [
      "UPDATE ZITEM SET ZI16 = -5.5, ZI32 = 0.5, ZI64 = 1e20, ZFLAG = 2 WHERE Z_PK % 5 = 1",
      "UPDATE ZITEM SET ZI16 = 7.5, ZI64 = -1e20, ZFLAG = 0.5 WHERE Z_PK % 5 = 2",
      "UPDATE ZBOX SET ZSIZE = 2.5", "UPDATE ZPART SET ZWEIGHT = ZWEIGHT - 0.5 WHERE Z_PK % 3 = 1",
      "UPDATE ZPAGE SET ZNUMBER = 0.5 - ZNUMBER",
    ])
  }

  // Columns that are copied to the same type are first.
  @Test(arguments: AttributeAgreementTests.pushed.dropFirst(4))
  func `SQL and evaluation read the same numbers`(text: String, type: AttributeType) throws {
    let (agreement, attribute) = (
      try Self.converted(), AttributeDescription.optional("value", type)
    )
    guard case .sql(let expression) = try agreement.compiled(text, attribute) else { return }
    #expect(
      try agreement.written(expression, attribute) == agreement.evaluated(text, attribute).rows
    )
  }

  @Test(arguments: FilterAgreementTests.pushed)
  func `SQL and evaluation compare the same numbers`(text: String) throws {
    let agreement = try Self.converted()
    let condition = try #require(try agreement.compiled(filter: text).condition)
    #expect(try agreement.keys(condition) == agreement.evaluated(filter: text).keys)
  }

  @Test(
    arguments: [
      ("$source.i16", ["1: i16 holds text", "2: i16 holds a BLOB"]),
      (
        "CAST($source.file, \"NSString\").length",
        ["10: file holds bytes that are neither a value nor a reference to a file"]
      ),
    ]
  )
  func `a failure names the input and what it holds`(text: String, expected: [String]) throws {
    let failures = try agreement.evaluated(text, .optional("value", .integer64)).failures
    for failure in expected { #expect(failures.contains(failure)) }
  }
}

import Testing

@testable import BulkSQLite

/// The affinity of declared types, by the table in section 3.1.1 of SQLite's datatype document.
struct ColumnAffinityTests {
  @Test(arguments: [
    ("INT", ColumnAffinity.integer), ("tinyint", .integer), ("UNSIGNED BIG INT", .integer),
    ("INT8", .integer), ("FLOATING POINT", .integer), ("CHARINT", .integer),
    ("CHARACTER(20)", .text), ("Native Character(70)", .text), ("clob", .text), ("TEXT", .text),
    ("BLOB", .blob), ("", .blob), ("REAL", .real), ("DOUBLE PRECISION", .real), ("float", .real),
    ("NUMERIC", .numeric), ("DECIMAL(10,5)", .numeric), ("BOOLEAN", .numeric),
    ("TIMESTAMP", .numeric), ("STRING", .numeric),
    // A dotless i is not a letter of ASCII, though its capital is I.
    ("ınt", .numeric), ("IN", .numeric), ("T\u{0}EXT", .numeric),
  ])
  func `a declared type has an affinity`(type: String, affinity: ColumnAffinity) {
    #expect(ColumnAffinity(declaredType: type) == affinity)
  }
}

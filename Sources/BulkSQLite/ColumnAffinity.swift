/// How SQLite converts the values of a column, determined by the column's declared type.
///
/// Source: “Determination Of Column Affinity”, section 3.1 of SQLite's datatype document.
package enum ColumnAffinity: Sendable {
  case integer, text, blob, real, numeric

  /// The affinity of a declared type, which may be any text.
  package init(declaredType: String) {
    let type = declaredType.uppercased()
    if type.contains("INT") {
      self = .integer
    } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
      self = .text
    } else if type.isEmpty || type.contains("BLOB") {
      self = .blob
    } else if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) {
      self = .real
    } else {
      self = .numeric
    }
  }
}

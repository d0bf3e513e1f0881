import BulkSQLite
import BulkStore

/// What is computed from the rows of a source.
struct DrawnExpressions {
  /// The columns beside the key.
  private let names: [String]

  init(_ names: [String]) { self.names = names }

  /// A key that ascends as those of the source do.
  func key(_ draw: inout Draw) -> ColumnExpression {
    draw.bool() ? .column("Z_PK") : .shifted(.column("Z_PK"), by: Int64(draw.number(below: 99)))
  }

  private func column(_ draw: inout Draw) -> ColumnExpression { .column(draw.one(of: names)) }

  private func constant(_ draw: inout Draw) -> SQLiteValue {
    // A constant is part of a statement, which has a largest length.
    let value = draw.value()
    return value.size < 1_000 ? value.bound : .null
  }

  private func numbers(_ draw: inout Draw) -> [Int64] {
    (0...draw.number(below: 4)).map { _ in draw.integer() }
  }

  private func renumbering(_ draw: inout Draw) -> [Int64: Int64] {
    Dictionary(numbers(&draw).map { ($0, draw.integer()) }) { first, _ in first }
  }

  func value(_ draw: inout Draw, depth: Int) -> ColumnExpression {
    switch draw.number(below: depth > 0 ? 13 : 3) {
    case 0: return .column("Z_PK")
    case 1: return .constant(constant(&draw))
    case 2, 3: return column(&draw)
    case 4: return .renumbered(column(&draw), renumbering(&draw))
    case 5: return .firstNonNull(column(&draw), value(&draw, depth: depth - 1))
    case 6:
      return .byEntity(
        (0...draw.number(below: 3)).map { number in
          .init(entities: [Int64(number)], value: value(&draw, depth: depth - 1))
        }
      )
    case 7:
      let entity = ColumnExpression.storedEntity(
        .column("Z1_FOLDER"),
        key: .column("ZFOLDER"),
        in: "s",
        expected: [1, 2]
      )
      return draw.bool() ? entity : .renumbered(entity, [1: 3, 3: draw.integer()])
    case 8: return .columnOfRow(draw.one(of: names), in: "s", key: number(&draw, depth: 0))
    case 9:
      return .conditional(
        condition(&draw, depth: depth - 1),
        value(&draw, depth: depth - 1),
        value(&draw, depth: depth - 1)
      )
    case 10: return .joined(value(&draw, depth: 0), column(&draw))
    case 11: return .equality(value(&draw, depth: 0), column(&draw))
    default: return number(&draw, depth: depth)
    }
  }

  private func condition(_ draw: inout Draw, depth: Int) -> ColumnExpression {
    switch draw.number(below: depth > 0 ? 7 : 5) {
    case 0: return .isNull(value(&draw, depth: 0))
    case 1: return .same(value(&draw, depth: 0), column(&draw))
    case 2:
      let order = draw.one(of: [RecordProgram.Order.less, .greaterOrEqual])
      return .ordered(value(&draw, depth: 0), order, column(&draw))
    case 3: return .contains(column(&draw), "a")
    case 4: return .ends(column(&draw), with: "é")
    case 5: return .not(condition(&draw, depth: depth - 1))
    default: return .and([condition(&draw, depth: 0), condition(&draw, depth: depth - 1)])
    }
  }

  private func number(_ draw: inout Draw, depth: Int) -> ColumnExpression {
    switch draw.number(below: depth > 0 ? 5 : 3) {
    case 0: return .constant(.integer(draw.integer()))
    case 1: return .constant(.real(draw.real()))
    case 2: return column(&draw)
    default:
      let sign = draw.one(of: [RecordProgram.Arithmetic.sum, .difference, .product, .quotient])
      let first = number(&draw, depth: depth - 1)
      return .arithmetic(first, sign, number(&draw, depth: depth - 1))
    }
  }

  func conditions(_ draw: inout Draw) -> [ColumnExpression] {
    (0..<draw.number(below: 3)).map { _ in
      switch draw.number(below: 8) {
      case 0: .entityIn([0, 1, 2])
      case 1: .isIn(draw.one(of: names), numbers(&draw))
      case 2: .notNull(column(&draw))
      case 3: .isNull(column(&draw))
      case 4: .partner(key: column(&draw), table: "s", entityIn: [1, 2])
      case 5: .none([[.matches(RowMatch(.source, "s").with("Z_PK", column(&draw)))]])
      case 6: condition(&draw, depth: 2)
      default: .not(.isNull(column(&draw)))
      }
    }
  }
}

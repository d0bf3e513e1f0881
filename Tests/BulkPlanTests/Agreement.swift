import BulkTestSupport
import Testing

/// Computes the same value in SQL and by evaluation, for every row of a generated store.
struct Agreement {
  private let store: GeneratedStore
  private let directory = TemporaryDirectory()
  private let session: StoreSession
  private let entity: EntityDescription
  static let constants = RunConstants(now: 700_000_000, randomSeed: 7)

  /// A copy of the generated store, changed by some statements.
  init(spoiling statements: [String] = []) throws {
    store = try GeneratedStore(in: directory)
    let connection = try Connection(path: store.path, access: .readWrite)
    for statement in statements { try connection.execute(statement) }
    entity = try #require(store.schema.model.entity(named: "Item"))
    session = try StoreSession(
      path: directory.path("destination.sqlite"),
      readingFrom: SourceFile(path: store.path),
      pageSize: 4096,
      caches: StoreSession.CacheSizes(destination: 1000, source: 1000)
    )
  }

  private var table: String { store.schema.table(of: entity).name }

  func compiled(_ text: String, _ attribute: AttributeDescription) throws -> CompiledValue {
    try AttributeCompiler(store.schema, of: entity)
      .value(AttributeMeaning(ValueExpression(format: text)), of: attribute)
  }

  /// The values that SQL writes into the column of an attribute, row by row.
  func written(
    _ expression: ColumnExpression,
    _ attribute: AttributeDescription
  ) throws -> [String] {
    try makeTable("ZSQL", attribute)
    let transfer = RowTransfer(
      to: "ZSQL",
      from: table,
      [.init("Z_PK", .column("Z_PK")), .init("ZVALUE", expression)]
    )
    try SQLRowSink(session).fill(by: [transfer]) { append in
      _ = try append(.min ... .max)
    }
    return try rows(of: "ZSQL")
  }

  /// The values that evaluation writes into the column of an attribute, and the rows that fail.
  func evaluated(
    _ text: String,
    _ attribute: AttributeDescription
  ) throws -> (rows: [String], failures: [String]) {
    let program = try ExpressionProgram(
      ValueExpression(format: text),
      of: entity,
      in: store.schema.model
    )
    let conversion = try AttributeConversion(of: program.root, to: attribute)
    var failures: [String] = []
    var values: [SQLiteValue] = []
    try eachPage(of: program.inputs) { read in
      let page = read.values
      failures += read.failures.map { "\(page.keys[$0.failure.row]): \($0.failure.message)" }
      let result = program.evaluate(page, in: Self.constants)
      failures += result.failures.map { "\(page.keys[$0.row]): \($0.message)" }
      for (key, value) in zip(page.keys, result.values) {
        values.append(.integer(key))
        switch conversion.value(of: value) {
        case .success(let value): values.append(ColumnCoding.value(of: value, in: attribute))
        case .failure(let failure):
          failures.append("\(key): \(failure.message)")
          values.append(.null)
        }
      }
    }
    try makeTable("ZEVALUATED", attribute)
    try SQLRowSink(session).fill("ZEVALUATED", ["Z_PK", "ZVALUE"]) {
      try $0.append(values)
    }
    return (try rows(of: "ZEVALUATED"), failures)
  }

  func compiled(filter text: String) throws -> CompiledFilter {
    try AttributeCompiler(store.schema, of: entity).filter(ValuePredicate(format: text))
  }

  func keys(_ condition: ColumnExpression) throws -> [Int64] {
    let query = try PreparedQuery(RowQuery(table, [], where: [condition]), session)
    var keys: [Int64] = []
    while true {
      // Records end where SQL must read a row.
      let found = try query.rows((keys.last.map { $0 + 1 } ?? .min) ... .max, limit: .max)
      keys += found.rows.map(\.key)
      if found.isComplete { return keys }
    }
  }

  /// The keys of the rows for which a predicate evaluates to true, and the rows that fail.
  func evaluated(filter text: String) throws -> (keys: [Int64], failures: [String]) {
    let program = try PredicateProgram(
      ValuePredicate(format: text),
      of: entity,
      in: store.schema.model
    )
    var keys: [Int64] = []
    var failures: [String] = []
    try eachPage(of: program.inputs) { read in
      let page = read.values
      failures += read.failures.map { "\(page.keys[$0.failure.row]): \($0.failure.message)" }
      let result = program.evaluate(page, in: Self.constants)
      keys += zip(page.keys, result.values).filter(\.1).map(\.0)
      failures += result.failures.map { "\(page.keys[$0.row]): \($0.message)" }
    }
    return (keys, failures)
  }

  private func eachPage(of inputs: [SourceInput], _ body: (ProgramPage.Page) throws -> Void) throws
  {
    let page = try ProgramPage(inputs, of: entity, in: store.schema)
    let rows = try PreparedQuery(RowQuery(table, page.columns), session)
    let members = try page.memberQueries.map { try PreparedQuery($0, session) }
    var next = Int64.min
    while true {
      let found = try rows.rows(next ... .max, limit: 64).rows
      guard let last = found.last else { return }
      let result = try page.page(of: found) { query, key, _ in
        .held(try members[query].members(of: key).rows)
      }
      try body(result)
      next = last.key + 1
    }
  }

  private func makeTable(_ name: String, _ attribute: AttributeDescription) throws {
    let model = try ManagedObjectModel.of(EntityDescription("Value", [attribute]))
    let schema = StoreSchema(model)
    let type = try #require(schema.entityTables.first?.columns.last?.declaredType)
    let builder = StoreBuilder(session)
    try builder.create("DROP TABLE IF EXISTS \(name)")
    try builder.create("CREATE TABLE \(name) (Z_PK INTEGER PRIMARY KEY, ZVALUE \(type))")
  }

  private func rows(of table: String) throws -> [String] {
    let reader = try Connection(
      path: directory.path("destination.sqlite"),
      access: .source
    )
    let statement = try reader.prepare(
      "SELECT Z_PK, typeof(ZVALUE), ZVALUE FROM \(table) ORDER BY Z_PK"
    )
    var rows: [String] = []
    while try statement.step() {
      rows.append(
        "\(statement.int64(at: 0)): \(statement.text(at: 1)) \(statement.value(at: 2).literal)"
      )
    }
    return rows
  }
}

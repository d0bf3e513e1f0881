package import BulkMapping
package import BulkModel
package import BulkStore

/// The values to read from the rows of a source entity to evaluate some programs, and the making of
/// the page from them.
///
/// The runner reads ``columns`` of every row with a ``RowQuery`` and prepares ``memberQueries``.
package struct ProgramPage: Sendable {
  package struct Page: Sendable {
    /// An input that cannot be read is nil.
    package let values: ValuePage
    package let failures: [InputFailure]
  }

  package struct InputFailure: Sendable {
    package let input: SourceInput
    package let failure: RowFailure
  }

  package let columns: [SelectedColumn]
  package let memberQueries: [MemberQuery]

  private let readings: [(input: SourceInput, reading: InputReading)]
  /// These identify streamed objects.
  private let streams: [InputReading]

  package enum Members {
    case held([SelectedRow])
    /// Too many to hold, or shared by too many rows.
    case tooMany
  }

  /// Inputs that decide whether a row counts come first.
  ///
  /// Throws ``ExpressionFault`` if the store does not have an input.
  package init(
    _ inputs: [SourceInput],
    of entity: EntityDescription,
    in source: StoreSchema
  ) throws(ExpressionFault) {
    let compiler = InputCompiler(source)
    var columns: [SelectedColumn] = []
    var queries: [MemberQuery] = []
    var readings: [(SourceInput, InputReading)] = []
    var seen: Set<SourceInput> = []
    for input in inputs where seen.insert(input).inserted {
      readings.append((input, try compiler.reading(of: input, from: entity, &columns, &queries)))
    }
    self.readings = readings
    streams = readings.flatMap(\.1.streams)
    self.columns = columns
    memberQueries = queries
  }

  /// Gives the objects of the owner with a key, each with the values of the query's columns.
  ///
  /// Where they are too many, the page holds a streamed collection.
  package typealias MemberReader = (
    _ query: Int, _ owner: Int64, _ isShared: Bool
  ) throws -> Members

  /// Makes the page of rows with the values of ``columns``.
  package func page(of rows: [SelectedRow], members: MemberReader) throws -> Page {
    var columns: [SourceInput: [EvaluatedValue]] = [:]
    var failures: [Int: InputFailure] = [:]
    for (input, reading) in readings {
      var values: [EvaluatedValue] = []
      values.reserveCapacity(rows.count)
      for (index, row) in rows.enumerated() {
        var fault: String?
        values.append(try value(of: reading, row, &fault, members))
        if let fault, failures[index] == nil {
          let message = "\(input.path.joined(separator: ".")) holds \(fault)"
          let failure = RowFailure(row: index, message: message)
          failures[index] = InputFailure(input: input, failure: failure)
        }
      }
      columns[input] = values
    }
    return Page(
      values: ValuePage(keys: rows.map(\.key), columns: columns),
      failures: failures.sorted { $0.key < $1.key }.map(\.value)
    )
  }

  private func value(
    of reading: InputReading,
    _ row: SelectedRow,
    _ fault: inout String?,
    _ members: MemberReader
  ) throws -> EvaluatedValue {
    switch reading {
    case .element: return .null
    case .attribute(let column): return .attribute(Self.value(row.values[column], &fault))
    case .object(let key, let entityNumber, let inner):
      guard let key = Self.number(row.values[key], &fault) else { return .null }
      let number = Self.number(row.values[entityNumber], &fault) ?? 0
      return .object(try object(number, key, inner, row, &fault, members))
    case .objects(let owner, let query, let kind, let inner, let isShared):
      guard let key = Self.number(row.values[owner], &fault) else { return .null }
      switch try members(query, key, isShared) {
      case .held(let rows):
        let objects = try objects(of: rows, inner, &fault, members)
        return .collection(ValueCollection(kind, ofDifferent: objects))
      case .tooMany:
        let objects = StreamedObjects(source: streams.firstIndex(of: reading) ?? 0, owner: key)
        return .collection(ValueCollection(kind, streaming: objects))
      }
    }
  }

  private func objects(
    of rows: [SelectedRow],
    _ readings: [InputReading],
    _ fault: inout String?,
    _ members: MemberReader
  ) throws -> [ObjectValue] {
    try rows.map { row in
      let number = Self.number(row.values[0], &fault) ?? 0
      return try object(number, row.key, readings, row, &fault, members)
    }
  }

  private func object(
    _ entityNumber: Int64,
    _ key: Int64,
    _ readings: [InputReading],
    _ row: SelectedRow,
    _ fault: inout String?,
    _ members: MemberReader
  ) throws -> ObjectValue {
    ObjectValue(
      ObjectIdentity(entityNumber: entityNumber, key: key),
      values: try readings.map { try value(of: $0, row, &fault, members) }
    )
  }

  package func query(of objects: StreamedObjects) -> Int? {
    guard case .objects(_, let query, _, _, _) = streams[objects.source] else { return nil }
    return query
  }

  /// Some of the streamed objects, with the fault of the first that cannot be read.
  package func objects(
    of rows: [SelectedRow],
    in source: StreamedObjects,
    _ fault: inout String?,
    members: MemberReader
  ) throws -> [ObjectValue] {
    guard case .objects(_, _, _, let inner, _) = streams[source.source] else { return [] }
    return try objects(of: rows, inner, &fault, members)
  }

  /// `nil` for nil and for other types.
  private static func number(_ value: SelectedValue, _ fault: inout String?) -> Int64? {
    if case .integer(let number) = Self.value(value, &fault) { number } else { nil }
  }

  /// Nil where the value cannot be read, which is a fault.
  private static func value(_ value: SelectedValue, _ fault: inout String?) -> AttributeValue {
    switch value {
    case .value(let value): return value
    case .unreadable(let kind):
      fault = fault ?? kind
      return .null
    }
  }
}

/// How an input of an expression is read with the rows of a page.
package indirect enum InputReading: Hashable, Sendable {
  case element
  case attribute(column: Int)
  /// An object: the columns of its key and of its entity's number, and the inputs read from it.
  case object(key: Int, entityNumber: Int, members: [InputReading])
  /// The objects of a to-many relationship: the column of their owner's key, the query that returns them,
  /// whose first column is the object's entity number, the inputs read from each, and whether other rows may
  /// have the same owner.
  case objects(
    owner: Int,
    query: Int,
    ValueCollection.Kind,
    members: [InputReading],
    isShared: Bool
  )

  var streams: [InputReading] {
    switch self {
    case .attribute, .element: []
    case .object(_, _, let members): members.flatMap(\.streams)
    case .objects(_, _, _, let members, _): [self] + members.flatMap(\.streams)
    }
  }
}

extension Array where Element: Equatable {
  /// Adds an element if it is new.
  mutating func index(adding element: Element) -> Int {
    if let index = firstIndex(of: element) { return index }
    append(element)
    return count - 1
  }
}

package import BulkMapping
package import BulkModel
package import BulkStore

/// What must be read of the rows of a source entity so that some programs can be evaluated, and how
/// the page comes of what was read.
///
/// The runner reads ``columns`` of every row with a ``RowQuery``, prepares ``memberQueries``, and hands
/// over both: ``page(of:members:)`` asks for the objects of an owner by the query's place.
package struct ProgramPage: Sendable {
  /// The inputs of some rows, as far as they can be read.
  package struct Page: Sendable {
    /// The rows; an input that cannot be read is nil in it.
    package let values: ValuePage
    /// The rows with such an input, in ascending order.
    package let failures: [RowFailure]
  }

  /// The columns to read of every row.
  package let columns: [SelectedColumn]
  /// The queries of the objects of to-many relationships.
  package let memberQueries: [MemberQuery]

  private let readings: [(input: SourceInput, reading: InputReading)]

  /// The pages for the inputs of some programs.
  ///
  /// - Parameters:
  ///   - inputs: The inputs of all the programs, in any order and more than once.
  ///   - entity: The entity of the rows.
  ///   - source: The schema of the store that is read.
  /// - Throws: ``ExpressionFault`` if the store does not hold an input.
  package init(
    _ inputs: [SourceInput],
    of entity: EntityDescription,
    in source: StoreSchema
  ) throws(ExpressionFault) {
    let lowering = InputLowering(source)
    var found = InputColumns()
    var queries: [MemberQuery] = []
    var readings: [(SourceInput, InputReading)] = []
    var seen: Set<SourceInput> = []
    for input in inputs where seen.insert(input).inserted {
      readings.append((input, try lowering.reading(of: input, from: entity, &found, &queries)))
    }
    self.readings = readings
    columns = found.columns
    memberQueries = queries
  }

  /// The page of some rows.
  ///
  /// - Parameters:
  ///   - rows: The rows, with the values of ``columns``.
  ///   - members: Gives the objects of the owner with a key, by the place of the query among
  ///     ``memberQueries``; each with the values of the query's columns.
  /// - Returns: The page and the rows that cannot be evaluated.
  /// - Throws: What `members` throws.
  package func page<Failure: Error>(
    of rows: [SelectedRow],
    members: (Int, Int64) throws(Failure) -> [SelectedRow]
  ) throws(Failure) -> Page {
    var columns: [SourceInput: [EvaluatedValue]] = [:]
    var failures: [Int: String] = [:]
    for (input, reading) in readings {
      var values: [EvaluatedValue] = []
      values.reserveCapacity(rows.count)
      for (place, row) in rows.enumerated() {
        var fault: String?
        values.append(try value(of: reading, row, &fault, members))
        if let fault, failures[place] == nil {
          failures[place] = "\(input.path.joined(separator: ".")) holds \(fault)"
        }
      }
      columns[input] = values
    }
    return Page(
      values: ValuePage(keys: rows.map(\.key), columns: columns),
      failures: failures.sorted { $0.key < $1.key }.map {
        RowFailure(row: $0.key, message: $0.value)
      }
    )
  }

  private func value<Failure: Error>(
    of reading: InputReading,
    _ row: SelectedRow,
    _ fault: inout String?,
    _ members: (Int, Int64) throws(Failure) -> [SelectedRow]
  ) throws(Failure) -> EvaluatedValue {
    switch reading {
    case .attribute(let column):
      switch row.values[column] {
      case .value(let value): return .attribute(value)
      case .unreadable(let kind):
        fault = fault ?? kind
        return .null
      }
    case .object(let key, let entityNumber, let inner):
      guard let key = Self.number(row.values[key], &fault) else { return .null }
      let number = Self.number(row.values[entityNumber], &fault) ?? 0
      return .object(
        ObjectValue(
          ObjectIdentity(entityNumber: number, key: key),
          values: try values(of: inner, row, &fault, members)
        )
      )
    case .objects(let owner, let query, let kind, let inner):
      guard let key = Self.number(row.values[owner], &fault) else { return .null }
      var objects: [ObjectValue] = []
      for member in try members(query, key) {
        let number = Self.number(member.values[0], &fault) ?? 0
        objects.append(
          ObjectValue(
            ObjectIdentity(entityNumber: number, key: member.key),
            values: try values(of: inner, member, &fault, members)
          )
        )
      }
      return .collection(ValueCollection(kind, ofDifferent: objects))
    }
  }

  private func values<Failure: Error>(
    of readings: [InputReading],
    _ row: SelectedRow,
    _ fault: inout String?,
    _ members: (Int, Int64) throws(Failure) -> [SelectedRow]
  ) throws(Failure) -> [EvaluatedValue] {
    var values: [EvaluatedValue] = []
    for reading in readings { values.append(try value(of: reading, row, &fault, members)) }
    return values
  }

  /// A whole number that was read; `nil` for nil and for what is none.
  private static func number(_ value: SelectedValue, _ fault: inout String?) -> Int64? {
    switch value {
    case .value(.integer(let number)): return number
    case .value: return nil
    case .unreadable(let kind):
      fault = fault ?? kind
      return nil
    }
  }
}

/// Builds an index over integers, which has no entries yet, from the committed rows of its table.
struct IndexBuild {
  let table: TableInfo
  let index: TableInfo.Index
  let path: String
  /// Whether to stop; asked every few thousand entries.
  let isStopped: () -> Bool

  private static let entriesBetweenChecks = 1 << 14

  var firstColumn: String { table.columns[index.columns[0]].name }

  /// `nil` if the entries cannot be sorted.
  func gather(_ entries: IndexEntries, from file: PageFile) throws(SQLiteError) -> EntrySorter? {
    let fields = RecordFields(first: 1 + (entries.columns.max() ?? -1))
    var count = 0
    var current = table.root
    do {
      try TreeWalk(pageSize: file.layout.pageSize).walk(table.root) { number, _, buffer in
        current = number
        try file.read(number, into: buffer)
        let page = try TreePage(number, buffer, file.layout)
        guard page.kind.isOfTable else { throw TreeDamage() }
        guard page.kind.isLeaf else { return page }
        for cell in 0..<page.cells {
          var offset = try page.offset(ofCell: cell)
          let size = Int(clamping: try page.bytes.variable(at: &offset))
          let row = Int64(bitPattern: try page.bytes.variable(at: &offset))
          let local = file.layout.localSize(ofRecord: size, inTable: true)
          let record = try page.bytes.part(from: offset, count: local)
          let (found, _, areAll) = try values(fields, of: record, isWhole: local == size)
          try entries.add(row, record, fields, found, areAll: areAll)
          try stopIfRequested(&count)
        }
        return nil
      }
      return try entries.take(0)
    } catch let error as SQLiteError {
      throw error
    } catch is IndexEntries.NoInteger {
      return nil
    } catch {
      throw SQLiteError(.corrupt, message: "page \(current) was changed", path: path)
    }
  }

  /// Throws ``IndexEntries/NoInteger`` where the header of a sound record does not end in its cell.
  private func values(
    _ fields: borrowing RecordFields,
    of record: UnsafeRawBufferPointer,
    isWhole: Bool
  ) throws -> (count: Int, end: Int, areAll: Bool) {
    do {
      return try fields.find(in: record)
    } catch  where !isWhole {
      throw IndexEntries.NoInteger()
    }
  }

  /// Builds the index from the entries of all rows, and adds the values of the first column to others.
  ///
  /// The tree is not stored; it is `nil` if the entries turned out to be others. Throws also if a
  /// key of a unique index is there twice.
  func build(
    _ entries: EntrySorter,
    in file: PageFile,
    values: inout ColumnValues
  ) throws(SQLiteError) -> TreeSpine? {
    let tree = try TreeSpine(index.root, of: .indexLeaf, file, path: path)
    let columns = index.columns.count
    var cell = IntegerCell(width: columns + 1, file.layout)
    var count = 0
    var former: UInt64?
    var found = values
    let (descends, isUnique) = (index.descends, index.isUnique)
    let areAll = try entries.each { words, isSame throws(SQLiteError) in
      cell.begin()
      var hasNull = false
      for column in 0..<columns {
        guard let value = EntryOrder.value(of: words[column], descends: descends[column]) else {
          hasNull = true
          cell.addNull()
          continue
        }
        cell.add(value)
        if column == 0, words[0] != former {
          former = words[0]
          found.insert(value)
        }
      }
      guard !isUnique || !isSame || hasNull else { throw conflict() }
      cell.add(EntryOrder.row(of: words[columns]))
      try tree.append(entry: cell.cell())
      try stopIfRequested(&count)
    }
    values = found
    return areAll ? tree : nil
  }

  @inline(__always)
  private func stopIfRequested(_ count: inout Int) throws(SQLiteError) {
    count += 1
    guard count.isMultiple(of: Self.entriesBetweenChecks), isStopped() else { return }
    throw SQLiteError(.interrupted, message: "told to stop", path: path)
  }

  private func conflict() -> SQLiteError {
    let names = index.columns.map { "\(table.name).\(table.columns[$0].name)" }
    return SQLiteError(
      .constraint,
      message: "UNIQUE constraint failed: \(names.joined(separator: ", "))",
      path: path
    )
  }
}

/// The cell of an index's entry over integers, as it is made before it is put into its page.
struct IntegerCell: ~Copyable {
  private let hasShortIntegers: Bool
  private let base: UnsafeMutableRawPointer
  private var types = 0
  private var end: Int
  private let start: Int

  /// A cell for a number of integers, at most 14, so that its size takes one byte.
  init(width: Int, _ layout: PageLayout) {
    assert(width >= 2 && width <= 14, "the size of a cell takes one byte")
    hasShortIntegers = layout.hasShortIntegers
    // The sizes of record and header and all types have one byte each.
    start = 2 + width
    end = start
    base = .allocate(byteCount: start + 8 * (width + 1), alignment: 16)
  }

  deinit { base.deallocate() }

  @inline(__always)
  mutating func begin() {
    types = 2
    end = start
  }

  @inline(__always)
  mutating func addNull() { add(type: 0) }

  @inline(__always)
  mutating func add(_ value: Int64) {
    let (type, size) = RecordField.stored(value, isShort: hasShortIntegers)
    add(type: type)
    guard size > 0 else { return }
    // The most significant bytes are shifted out, and what follows is overwritten.
    let word = (value &<< Int64(64 - 8 * size)).bigEndian
    base.storeBytes(of: word, toByteOffset: end, as: Int64.self)
    end += size
  }

  @inline(__always)
  mutating func cell() -> UnsafeRawBufferPointer {
    assert(types == start, "an entry has an integer for every column and the row id")
    base.storeBytes(of: UInt8(truncatingIfNeeded: end - 1), as: UInt8.self)
    base.storeBytes(of: UInt8(truncatingIfNeeded: start - 1), toByteOffset: 1, as: UInt8.self)
    return UnsafeRawBufferPointer(start: base, count: end)
  }

  @inline(__always)
  private mutating func add(type: UInt8) {
    assert(types < start, "an entry has no more integers than its index")
    base.storeBytes(of: type, toByteOffset: types, as: UInt8.self)
    types += 1
  }
}

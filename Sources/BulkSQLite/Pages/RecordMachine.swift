/// A value on the stack of a program; the bytes of a text are valid until the next row.
enum RecordValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(UnsafeRawBufferPointer)

  static func truth(of value: Bool) -> RecordValue { .integer(value ? 1 : 0) }

  var isNull: Bool { if case .null = self { true } else { false } }
  var isTrue: Bool { if case .integer(1) = self { true } else { false } }

  /// The value in a column of a kind, whether or not a text is valid; `nil` if it needs SQL there.
  @inline(__always)
  func read(as kind: RecordProgram.Kind) -> RecordValue? {
    switch (self, kind) {
    case (.null, _), (.integer, .integer), (.integer, .number), (.real, .number), (.real, .real),
      (.text, .text), (.text, .validText):
      self
    case (.integer(let number), .real): .real(Double(number))
    case (.integer, _), (.real, _), (.text, _): nil
    }
  }

  var double: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .null, .text: nil
    }
  }
}

/// Runs a ``RecordProgram`` for one row after another.
final class RecordMachine {
  /// The size of the largest text from which one is made, in bytes; larger ones need SQL.
  private static let largestText = 1 << 16

  private let operations: UnsafeMutableBufferPointer<RecordProgram.Operation>
  private let stack: UnsafeMutablePointer<RecordValue>
  private let constants: UnsafeMutableBufferPointer<RecordValue>
  private let functions: [RecordProgram.Function]
  private let tables: [KeyedRows]
  /// The texts that operations make, each with its own slot, and their sizes.
  private let made: UnsafeMutableBufferPointer<UnsafeMutableRawBufferPointer>

  init?(_ program: RecordProgram) {
    var tables: [KeyedRows] = []
    for (slot, table) in program.tables.enumerated() {
      guard let rows = KeyedRows(table, columns: program.columns(of: slot)) else { return nil }
      tables.append(rows)
    }
    self.tables = tables
    functions = program.functions
    let count = program.operations.count
    operations = .allocate(capacity: count)
    _ = operations.initialize(from: program.operations)
    stack = .allocate(capacity: count + 1)
    // An operation without operands looks at the slot above the top.
    stack.initialize(repeating: .null, count: count + 1)
    made = .allocate(capacity: count)
    made.initialize(repeating: UnsafeMutableRawBufferPointer(start: nil, count: 0))
    constants = .allocate(capacity: program.constants.count)
    _ = constants.initialize(from: program.constants.map(Self.constant))
  }

  deinit {
    for text in made { text.deallocate() }
    for case .text(let bytes) in constants { bytes.deallocate() }
    operations.deallocate()
    stack.deallocate()
    made.deallocate()
    constants.deallocate()
  }

  private static func constant(_ value: SQLiteValue) -> RecordValue {
    switch value {
    case .integer(let number): return .integer(number)
    case .real(let number): return number.isNaN ? .null : .real(number)
    case .text(let text):
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
      bytes.copyBytes(from: text.utf8)
      return .text(UnsafeRawBufferPointer(bytes))
    case .null, .blob, .streamed: return .null
    }
  }

  /// `nil` if the value needs SQL.
  func value(
    of records: SourceRecords,
    _ key: Int64,
    _ bytes: UnsafeRawBufferPointer
  ) -> RecordValue? {
    // The top of the stack is the slot before.
    var top = 0
    var slot = 0
    while slot < operations.count {
      switch operations[slot] {
      case .column(let column, let kind):
        guard let value = records.value(of: column, as: kind, bytes) else { return nil }
        stack[top] = value
        top += 1
      case .key:
        stack[top] = .integer(key)
        top += 1
      case .constant(let index):
        stack[top] = constants[index]
        top += 1
      case .end(let ifTrue, let count):
        let holds = stack[top - 1].isTrue
        if holds == ifTrue {
          stack[top - 1] = .truth(of: holds)
          slot += count
        } else {
          top -= 1
        }
      case let operation:
        let count = operation.operands
        top -= count
        guard let value = result(operation, stack + top, madeAt: slot) else { return nil }
        stack[top] = value
        top += 1
      }
      slot += 1
    }
    return top == 1 ? stack[0] : nil
  }

  private func result(
    _ operation: RecordProgram.Operation,
    _ operands: UnsafeMutablePointer<RecordValue>,
    madeAt slot: Int
  ) -> RecordValue? {
    let first = operands[0]
    switch operation {
    case .column, .key, .constant, .end: return nil
    case .related(let table, let column, let kind):
      if first.isNull { return .null }
      guard case .integer(let key) = first else { return nil }
      let value = tables[table].value(of: column, as: kind, ofRow: key)
      // The record of another key takes the place of its bytes.
      guard case .text(let bytes)? = value, !tables[table].isListed else { return value }
      return .text(hold(bytes, at: slot))
    case .exists(let table):
      if first.isNull { return .truth(of: false) }
      guard case .integer(let key) = first else { return nil }
      return tables[table].exists(key).map { .truth(of: $0) }
    case .arithmetic(let sign): return first.arithmetic(sign, operands[1])
    case .exact(let sign): return first.exact(sign, operands[1])
    case .real: return first.isNull ? .null : first.double.map { .real($0) }
    case .isNonzero: return first.isNull ? .null : first.double.map { .truth(of: $0 != 0) }
    case .text(let function): return text(functions[function], first, madeAt: slot)
    case .digits:
      if first.isNull { return .null }
      guard case .integer(let number) = first else { return nil }
      return .text(hold(String(number).utf8, at: slot))
    case .joined: return joined(first, operands[1], madeAt: slot)
    case .firstNonNull: return first.isNull ? operands[1] : first
    case .within(let index):
      if first.isNull { return .null }
      guard case .integer(let number) = first, case .integer(let low) = constants[index],
        case .integer(let high) = constants[index + 1], low <= number, number <= high
      else { return nil }
      return first
    case .equality:
      if first.isNull || operands[1].isNull { return .null }
      return first.isSame(as: operands[1]).map { .truth(of: $0) }
    case .isNull: return .truth(of: first.isNull)
    case .isSame: return first.isSame(as: operands[1]).map { .truth(of: $0) }
    case .ordered(let order): return first.isOrdered(order, operands[1]).map { .truth(of: $0) }
    case .isAmong(let start, let count):
      if first.isNull { return .truth(of: false) }
      // Constants of other classes differ.
      return .truth(of: constants[start..<start + count].contains { first.isSame(as: $0) == true })
    case .contains, .begins, .ends: return first.finds(operands[1], operation)
    case .not: return .truth(of: !first.isTrue)
    case .all(let count): return .truth(of: (0..<count).allSatisfy { operands[$0].isTrue })
    case .any(let count): return .truth(of: (0..<count).contains { operands[$0].isTrue })
    case .fold(let fold, let count):
      return RecordValue.folded(UnsafeMutableBufferPointer(start: operands, count: count), fold)
    case .choice: return first.isTrue ? operands[1] : operands[2]
    }
  }

  private func text(
    _ function: RecordProgram.Function,
    _ value: RecordValue,
    madeAt slot: Int
  ) -> RecordValue? {
    if value.isNull { return .null }
    guard case .text(let bytes) = value, bytes.count <= Self.largestText else { return nil }
    if let letters = function.letters {
      let target = reserve(bytes.count, at: slot)
      if target.copy(bytes, changing: letters) { return .text(UnsafeRawBufferPointer(target)) }
    }
    return .text(hold(function.result(String(decoding: bytes, as: UTF8.self)).utf8, at: slot))
  }

  private func joined(
    _ first: RecordValue,
    _ second: RecordValue,
    madeAt slot: Int
  ) -> RecordValue? {
    if first.isNull || second.isNull { return .null }
    guard case .text(let start) = first, case .text(let end) = second,
      max(start.count, end.count) <= Self.largestText
    else { return nil }
    let target = reserve(start.count + end.count, at: slot)
    target.copyBytes(from: start)
    target.part(start.count..<target.count).copyBytes(from: end)
    return .text(UnsafeRawBufferPointer(target))
  }

  private func hold(_ text: some Collection<UInt8>, at slot: Int) -> UnsafeRawBufferPointer {
    let target = reserve(text.count, at: slot)
    target.copyBytes(from: text)
    return UnsafeRawBufferPointer(target)
  }

  private func reserve(_ count: Int, at slot: Int) -> UnsafeMutableRawBufferPointer {
    if made[slot].count < count {
      made[slot].deallocate()
      made[slot] = .allocate(byteCount: max(count, 256), alignment: 1)
    }
    return made[slot].part(0..<count)
  }
}

extension RecordProgram.Operation {
  /// The number of values that it takes from the stack, in whose place it leaves one.
  fileprivate var operands: Int {
    switch self {
    case .column, .key, .constant, .end: 0
    case .related, .exists, .real, .isNonzero, .text, .digits, .within, .isNull, .isAmong, .not:
      1
    case .arithmetic, .exact, .joined, .firstNonNull, .equality, .isSame, .ordered, .contains,
      .begins, .ends:
      2
    case .choice: 3
    case .all(let count), .any(let count), .fold(_, let count): count
    }
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Copies bytes of the same number, with `0x20` of some letters changed, and returns whether all are ASCII.
  fileprivate func copy(
    _ bytes: UnsafeRawBufferPointer,
    changing letters: ClosedRange<UInt8>
  ) -> Bool {
    var all: UInt8 = 0
    let (low, width) = (letters.lowerBound, letters.upperBound - letters.lowerBound)
    for index in bytes.indices {
      let byte = bytes[index]
      all |= byte
      self[index] = byte ^ (byte &- low <= width ? 0x20 : 0)
    }
    return all < 0x80
  }
}

/// Reads binary property lists (`bplist00`).
///
/// Layout (CFBinaryPList.c): 8 bytes of magic; objects, each a marker byte, an optional count, and a
/// body; a table of object offsets; a 32-byte trailer. All integers are big-endian.
///
/// An object with several references is decoded once and shared. To keep walks over the value from visiting
/// an exponential number of nodes, the tree may have at most ``nodesPerByte`` nodes for each byte of the
/// file.
package struct BinaryPropertyListReader {
  /// The magic bytes of the format.
  package static let magic = Array("bplist00".utf8)

  /// The maximum number of nodes for each byte of the file.
  package static let nodesPerByte = 16

  private let bytes: [UInt8]
  private let layout: BinaryPropertyListLayout
  private var made: [Made]

  /// A value, with the number of nodes of its tree.
  private typealias Counted = (value: PropertyList, nodes: Int)

  private enum Made {
    case not
    case beingMade
    case value(PropertyList, nodes: Int)
  }

  /// Reads a property list.
  ///
  /// Lone surrogates in UTF-16 strings become U+FFFD, as everywhere in Swift.
  ///
  /// - Throws: ``CodingError`` for anything that is not a valid binary property list.
  package static func read(_ bytes: [UInt8]) throws(CodingError) -> PropertyList {
    let layout = try BinaryPropertyListLayout(of: bytes)
    var reader = BinaryPropertyListReader(bytes: bytes, layout: layout)
    return try reader.object(layout.topObject, depth: 0).value
  }

  private init(bytes: [UInt8], layout: BinaryPropertyListLayout) {
    self.bytes = bytes
    self.layout = layout
    made = [Made](repeating: .not, count: layout.objectCount)
  }

  private mutating func object(_ index: Int, depth: Int) throws(CodingError) -> Counted {
    let offset = try layout.offset(of: index, in: bytes)
    switch made[index] {
    case .value(let value, let nodes): return (value, nodes)
    case .beingMade: throw .cyclic("container", offset: offset)
    case .not: break
    }
    guard depth < PropertyList.depthLimit else {
      throw .tooDeep("container", offset: offset, limit: PropertyList.depthLimit)
    }
    made[index] = .beingMade
    let result = try makeObject(at: offset, depth: depth)
    made[index] = .value(result.value, nodes: result.nodes)
    return result
  }

  private mutating func makeObject(at offset: Int, depth: Int) throws(CodingError) -> Counted {
    var scalars = BinaryPropertyListScalars(bytes: bytes, offset: offset, end: layout.objectsEnd)
    switch bytes[offset] >> 4 {
    case 0xA: return try array(&scalars, depth: depth)
    case 0xD: return try dictionary(&scalars, depth: depth)
    default: return (try scalars.scalar(), 1)
    }
  }

  private mutating func array(
    _ scalars: inout BinaryPropertyListScalars,
    depth: Int
  ) throws(CodingError) -> Counted {
    let start = scalars.offset
    let references = try self.references(&scalars, perElement: 1)
    var elements: [PropertyList] = []
    elements.reserveCapacity(references.count)
    var nodes = 1
    for reference in references {
      let element = try object(reference, depth: depth + 1)
      nodes = try sum(nodes, element.nodes, at: start)
      elements.append(element.value)
    }
    return (.array(elements), nodes)
  }

  private mutating func dictionary(
    _ scalars: inout BinaryPropertyListScalars,
    depth: Int
  ) throws(CodingError) -> Counted {
    let start = scalars.offset
    let references = try self.references(&scalars, perElement: 2)
    let count = references.count / 2
    var entries: [String: PropertyList] = [:]
    entries.reserveCapacity(count)
    var nodes = 1
    for index in 0..<count {
      guard case .string(let key) = try object(references[index], depth: depth + 1).value else {
        throw .invalid("dictionary", offset: start, reason: "has a key that is not a string")
      }
      let value = try object(references[count + index], depth: depth + 1)
      nodes = try sum(nodes, value.nodes, at: start)
      guard entries.updateValue(value.value, forKey: key) == nil else {
        throw .invalid("dictionary", offset: start, reason: "has the key \(key) twice")
      }
    }
    return (.dictionary(entries), nodes)
  }

  private func sum(_ nodes: Int, _ more: Int, at offset: Int) throws(CodingError) -> Int {
    // Both are at most the limit, which is far less than half of `Int.max`.
    let limit = layout.nodeLimit
    guard nodes + more <= limit else {
      throw .tooLarge("container", offset: offset, limit: limit)
    }
    return nodes + more
  }

  private func references(
    _ scalars: inout BinaryPropertyListScalars,
    perElement: Int
  ) throws(CodingError) -> [Int] {
    let start = scalars.offset
    let count = try scalars.count()
    let (total, overflow) = count.multipliedReportingOverflow(by: perElement)
    let width = layout.referenceWidth
    guard !overflow, total <= (layout.objectsEnd - scalars.offset) / width else {
      throw .truncated("container", offset: start)
    }
    var result: [Int] = []
    result.reserveCapacity(total)
    for _ in 0..<total {
      let reference = BigEndian.unsigned(bytes, at: scalars.offset, width: width)
      guard let index = Int(exactly: reference), index < layout.objectCount else {
        throw .invalid(
          "container",
          offset: start,
          reason: "refers to object \(reference), which does not exist"
        )
      }
      result.append(index)
      scalars.offset += width
    }
    return result
  }
}

internal import BulkCoding

/// How the lines of a manifest are written.
enum ManifestFormat {
  /// A JSON object a line.
  case objects
  /// Values divided by commas, of the columns that the first line names.
  case columns([String])

  /// The entry of a line; `nil` for one without any.
  func entry(_ line: [UInt8]) throws(EntryFault) -> ManifestEntry? {
    guard line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return nil }
    switch self {
    case .objects: return try ManifestEntry(Self.values(ofObject: line))
    case .columns(let names):
      let values = try CommaSeparatedLine(line).values
      guard values.count == names.count else {
        throw EntryFault("it has \(values.count) values, but there are \(names.count) columns")
      }
      return try ManifestEntry(
        Dictionary(zip(names, values), uniquingKeysWith: { first, _ in first })
      )
    }
  }

  private static func values(ofObject line: [UInt8]) throws(EntryFault) -> [String: String] {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(line)
    } catch {
      throw EntryFault("column \(error.position.column): \(error.reason)")
    }
    guard case .object(let members) = document.root.content else {
      throw EntryFault("it is \(document.root.kind), not an object")
    }
    var values: [String: String] = [:]
    var faults = document.duplicates.map { "\($0.name) appears twice" }
    for member in members where ManifestEntry.known.contains(member.name) {
      switch member.value.content {
      case .string(let text): values[member.name] = text
      case .number(let digits) where member.name == "bytes": values[member.name] = digits
      case .null: continue
      case .number, .boolean, .array, .object:
        faults.append("\(member.name) is \(member.value.kind), not a text")
      }
    }
    guard faults.isEmpty else { throw EntryFault(reasons: faults) }
    return values
  }
}

/// A line of values divided by commas (RFC 4180).
struct CommaSeparatedLine {
  let values: [String]

  init(_ line: [UInt8]) throws(EntryFault) {
    let bytes = line.last == 0x0D ? line.dropLast() : line[...]
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw EntryFault("it is not UTF-8")
    }
    var values: [String] = []
    var value = ""
    var isQuoted = false
    var rest = text.unicodeScalars[...]
    while let next = rest.popFirst() {
      switch next {
      case "\"" where isQuoted && rest.first == "\"":
        rest = rest.dropFirst()
        value.unicodeScalars.append("\"")
      case "\"" where isQuoted || value.isEmpty: isQuoted.toggle()
      case "," where !isQuoted:
        values.append(value)
        value = ""
      default: value.unicodeScalars.append(next)
      }
    }
    guard !isQuoted else { throw EntryFault("a value in quotation marks has no end") }
    self.values = values + [value]
  }
}

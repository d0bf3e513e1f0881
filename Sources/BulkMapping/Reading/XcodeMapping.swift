internal import BulkPlatform
internal import BulkCoding

/// The content of an Xcode mapping file, source or compiled.
struct XcodeMapping: Sendable {
  /// A model as recorded in the mapping.
  struct RecordedModel: Hashable, Sendable {
    /// The path of the model when the mapping was made.
    var path: String?
    /// A copy of the model, as an archive.
    var copy: [UInt8]?
  }

  /// The entity mappings, in order.
  var drafts: [EntityMappingDraft] = []
  var source = RecordedModel()
  var destination = RecordedModel()
  var faults: [DraftFault] = []
  /// Warnings about ignored content, a sentence each.
  var warnings: [String] = []

  /// The error that the mapping exceeds the limits; `nil` if it does not.
  var limitFault: DraftFault? {
    let count = drafts.reduce(0) { $0 + $1.attributes.count + $1.relationships.count }
    guard
      drafts.count > MappingLimits.entityMappings || count > MappingLimits.propertyMappings
    else { return nil }
    return DraftFault(
      .none,
      "",
      "it has more than \(MappingLimits.entityMappings) entity mappings or "
        + "\(MappingLimits.propertyMappings) property mappings"
    )
  }

  /// The only relevant file in an `.xcmappingmodel`.
  private static let sourceName = "xcmapping.xml"

  /// Whether a path refers to an Xcode mapping, by its extension.
  static func isXcodePath(_ path: String) -> Bool {
    let url = URL(filePath: path)
    return ["xcmappingmodel", "cdm"].contains(url.pathExtension.lowercased())
      || url.lastPathComponent == sourceName
  }

  /// Reads an Xcode mapping; errors in its content are in `faults`.
  static func read(_ path: String) throws(MappingError) -> XcodeMapping {
    let url = URL(filePath: path)
    if url.pathExtension.lowercased() == "cdm" {
      return CompiledMappingReader.mapping(in: try MappingBytes.read(url.path))
    }
    let isFolder = url.pathExtension.lowercased() == "xcmappingmodel"
    let file = isFolder ? url.appending(path: sourceName) : url
    return XcodeMappingReader.mapping(in: try MappingBytes.read(file.path))
  }
}

/// An object of `xcmapping.xml`, which is a Core Data store in XML.
///
/// Shape: formats/mapping-models.md 1.3. Types and names are compared in lower case.
struct XcodeMappingObject: Sendable {
  let type: String
  /// The line of its start tag.
  let line: Int
  private(set) var attributes: [String: String] = [:]
  private(set) var links: [String: [String]] = [:]

  /// Reads all objects of a document, by their ids.
  static func objects(
    in bytes: [UInt8]
  ) throws(CodingError) -> (objects: [String: XcodeMappingObject], root: String) {
    var scanner = try XMLScanner(bytes)
    var result: [String: XcodeMappingObject] = [:]
    var root = ""
    while let event = try scanner.next() {
      guard case .start(let name, let attributes) = event else { continue }
      if scanner.depth == 1 { root = name.lowercased() }
      guard scanner.depth == 2, name.lowercased() == "object" else { continue }
      var object = XcodeMappingObject(
        type: attributes["type", default: ""].lowercased(),
        line: scanner.line
      )
      try object.read(&scanner)
      guard let id = attributes["id"], result.updateValue(object, forKey: id) == nil else {
        throw .xml(line: object.line, reason: "has an object without an id of its own")
      }
    }
    return (result, root)
  }

  /// Reads the content of the object's element, up to its end.
  private mutating func read(_ scanner: inout XMLScanner) throws(CodingError) {
    var name = ""
    var text = ""
    while let event = try scanner.next() {
      switch event {
      case .start(let element, let marks) where scanner.depth == 3:
        name = marks["name", default: ""].lowercased()
        text = ""
        if element.lowercased() == "relationship" {
          links[name] = marks["idrefs", default: ""].split(separator: " ").map(String.init)
          name = ""
        }
      case .start: continue
      case .text(let piece): text += piece
      case .end where scanner.depth == 1: return
      case .end where scanner.depth == 2:
        if !name.isEmpty { attributes[name] = text }
        name = ""
      case .end: continue
      }
    }
  }

  /// The text of an attribute with Xcode's escapes decoded; `nil` if it is empty.
  func text(_ name: String) -> String? {
    guard let text = attributes[name], !text.isEmpty else { return nil }
    return XcodeMappingText.unescaped(text)
  }

  func flag(_ name: String) -> Bool {
    attributes[name]?.filter { !$0.isWhitespace } == "1"
  }

  func integer(_ name: String) -> Int64? {
    attributes[name].flatMap { Int64($0.filter { !$0.isWhitespace }) }
  }

  /// The bytes of an attribute in base 64; `nil` if the attribute is absent or empty.
  func bytes(_ name: String) throws(CodingError) -> [UInt8]? {
    guard let text = attributes[name], text.contains(where: { !$0.isWhitespace }) else {
      return nil
    }
    // It may contain line breaks.
    guard let data = Data(base64Encoded: Data(text.utf8.filter { $0 > 0x20 })) else {
      throw .xml(line: line, reason: "has \(name) that is not base 64 in the object that begins")
    }
    return Array(data)
  }
}

/// Decodes the texts of `xcmapping.xml`.
enum XcodeMappingText {
  /// A text with its escapes decoded.
  ///
  /// `\uXXYY` stands for a UTF-16 unit whose bytes are XX and YY, low byte first: `\u3e00` is `>`
  /// (formats/mapping-models.md 1.6). Any other backslash stands for itself.
  static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    let units = Array(text.utf16)
    var result: [UInt16] = []
    var index = 0
    while index < units.count {
      if let unit = escape(in: units, at: index) {
        result.append(unit)
        index += 6
      } else {
        result.append(units[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF16.self)
  }

  private static func escape(in units: [UInt16], at index: Int) -> UInt16? {
    guard
      index + 6 <= units.count,
      units[index] == 0x5C, units[index + 1] == 0x75
    else { return nil }
    let digits = units[(index + 2)..<(index + 6)].compactMap { unit -> UInt16? in
      UInt8(exactly: unit).flatMap { Character(Unicode.Scalar($0)).hexDigitValue }
        .map { UInt16($0) }
    }
    guard digits.count == 4 else { return nil }
    return digits[0] << 4 | digits[1] | digits[2] << 12 | digits[3] << 8
  }
}

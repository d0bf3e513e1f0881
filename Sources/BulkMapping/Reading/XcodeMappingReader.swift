internal import BulkSupport
internal import BulkModel

/// Reads `xcmapping.xml`, the only relevant file in an `.xcmappingmodel`.
///
/// Reading begins at the mapping model; objects that it does not refer to are leftovers of editing
/// (formats/mapping-models.md 1.7).
struct XcodeMappingReader {
  private let objects: [String: XcodeMappingObject]

  static func read(_ bytes: [UInt8], into result: inout XcodeMapping) {
    do throws(CodingError) {
      let (objects, root) = try XcodeMappingObject.objects(in: bytes)
      XcodeMappingReader(objects: objects).read(root, into: &result)
    } catch {
      guard case .xml(let line, let reason) = error else {
        return result.fault(nil, "", "\(error)")
      }
      result.fault(line, "", "the XML \(reason)")
    }
  }

  private func read(_ root: String, into result: inout XcodeMapping) {
    let models = objects.values.filter { $0.type == XcodeObjectType.model.rawValue }
    guard root == "database", let model = models.first, models.count == 1 else {
      let count = models.isEmpty ? "no mapping model" : "\(models.count) mapping models"
      return result.fault(nil, "", "it holds \(count), not one of Xcode's")
    }
    for (side, copy, path) in [
      (MappingFile.Side.source, XcodeAttribute.sourceModel, XcodeAttribute.sourceModelPath),
      (.destination, .destinationModel, .destinationModelPath),
    ] {
      result.setCopy(of: side, bytes(of: model, copy, "", result), path: model.text(path))
    }
    let mappings = linked(model, .entity)
      .enumerated()
      .sorted { first, second in
        let number = first.element.integer(.number) ?? .max
        let other = second.element.integer(.number) ?? .max
        return number == other ? first.offset < second.offset : number < other
      }
    for (_, mapping) in mappings {
      if let draft = entityMapping(mapping, &result), !result.add(draft) { return }
    }
  }

  /// The objects that a link refers to, without duplicates, and only those of one type.
  private func linked(
    _ object: XcodeMappingObject,
    _ type: XcodeObjectType
  ) -> [XcodeMappingObject] {
    var seen: Set<String> = []
    return (object.links[type.list] ?? []).filter { seen.insert($0).inserted }
      .compactMap { objects[$0] }.filter { $0.type == type.rawValue }
  }

  private func entityMapping(
    _ object: XcodeMappingObject,
    _ result: inout XcodeMapping
  ) -> EntityMappingDraft? {
    let draft = result.draft(
      object.line,
      name: object.text(.name),
      source: object.text(.source),
      destination: object.text(.destination),
      policy: object.text(.policy)
    )
    guard var draft else { return nil }
    readFilter(of: object, into: &draft, &result)
    draft.userInfo = userInfo(of: object, draft.subject, &result)
    draft.attributes = properties(.attribute, of: object, draft.subject, &result)
    draft.relationships = properties(.relationship, of: object, draft.subject, &result)
    return draft
  }

  private func properties(
    _ type: XcodeObjectType,
    of object: XcodeMappingObject,
    _ subject: String,
    _ result: inout XcodeMapping
  ) -> [PropertyMappingDraft] {
    linked(object, type)
      .compactMap { property in property.text(.name).map { (name: $0, object: property) } }
      .sorted { CodeUnitOrder.precedes($0.name, $1.name) }
      .map { property($0.object, $0.name, "\(subject), \(type) \($0.name)", &result) }
  }

  /// The filter is a separate text, or part of a custom expression for the source objects.
  private func readFilter(
    of object: XcodeMappingObject,
    into draft: inout EntityMappingDraft,
    _ result: inout XcodeMapping
  ) {
    if let text = object.text(.filter) {
      var filter: ValuePredicate?
      do throws(ExpressionError) {
        filter = try ValuePredicate(format: text).asFilter
      } catch {
        result.fault(object.line, draft.subject + ", filter", "\(error)")
      }
      draft.filter = Parsed(text: LocatedName(text: text, location: draft.location), value: filter)
    }
    if !object.flag(.isAutomatic),
      let expression = expression(object, .sourceExpression, draft.subject, &result)
    {
      result.take(expression, into: &draft, object.line)
    }
  }

  private func property(
    _ object: XcodeMappingObject,
    _ name: String,
    _ subject: String,
    _ result: inout XcodeMapping
  ) -> PropertyMappingDraft {
    var draft = PropertyMappingDraft(name: name, location: result.location(object.line))
    draft.userInfo = userInfo(of: object, subject, &result)
    if object.attributes[XcodeAttribute.value.rawValue] != nil {
      let value = expression(object, .value, subject, &result)
      draft.value = value.map { .expression($0) } ?? .faulty
      return draft
    }
    let mapping = object.text(.sourceMapping)
    guard let keyPath = object.text(.sourceKeyPath) else {
      if mapping != nil { draft.value = .lookup(mapping: mapping, instances: nil) }
      return draft
    }
    do throws(ExpressionError) {
      draft.value = .lookup(mapping: mapping, instances: try ValueExpression(format: keyPath))
    } catch {
      result.fault(object.line, subject, "its key path \(keyPath): \(error)")
      draft.value = .faulty
    }
    return draft
  }

  private func expression(
    _ object: XcodeMappingObject,
    _ name: XcodeAttribute,
    _ subject: String,
    _ result: inout XcodeMapping
  ) -> ValueExpression? {
    guard let bytes = bytes(of: object, name, subject, result) else { return nil }
    return result.expression(object.line, subject, "\(name.rawValue): ") {
      try ValueExpression(archive: bytes)
    }
  }

  private func userInfo(
    of object: XcodeMappingObject,
    _ subject: String,
    _ result: inout XcodeMapping
  ) -> [String: AttributeValue] {
    guard let bytes = bytes(of: object, .userInfo, subject, result) else { return [:] }
    do throws(CodingError) {
      return result.userInfo(try KeyedArchive(bytes).root, subject)
    } catch {
      result.fault(object.line, subject, "\(error)")
      return [:]
    }
  }

  /// The bytes of an attribute; `nil` without it, and after an error.
  private func bytes(
    of object: XcodeMappingObject,
    _ name: XcodeAttribute,
    _ subject: String,
    _ result: XcodeMapping
  ) -> [UInt8]? {
    do throws(CodingError) {
      return try object.bytes(name)
    } catch {
      result.fault(object.line, subject, "\(error)")
      return nil
    }
  }
}

/// The types of objects in `xcmapping.xml`, in lower case (formats/mapping-models.md 2).
enum XcodeObjectType: String {
  case model = "xddevmappingmodel"
  case entity = "xddeventitymapping"
  case attribute = "xddevattributemapping"
  case relationship = "xddevrelationshipmapping"

  /// The link from the owner to objects of the type.
  var list: String { "\(self)mappings" }
  /// The link to an owner of the type.
  var link: String { self == .model ? "mappingmodel" : "\(self)mapping" }
}

/// The attributes of objects in `xcmapping.xml`, in lower case.
enum XcodeAttribute: String {
  case sourceMapping = "sourcemappingname"
  case filter = "sourcefilterpredicatestring"
  case sourceKeyPath = "sourcekeypath"
  case sourceModelPath = "sourcemodelpath"
  case sourceModel = "sourcemodeldata"
  case destinationModelPath = "destinationmodelpath"
  case destinationModel = "destinationmodeldata"
  case sourceExpression = "sourceexpressiondata"
  case value = "valueexpressiondata"
  case userInfo = "userinfodata"
  case policy = "migrationpolicyclassname"
  case source = "sourcename"
  case type = "mappingtypename"
  case number = "mappingnumber"
  case destination = "destinationname"
  case isAutomatic = "autogenerateexpression"
  case name = "name"
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
  func text(_ name: XcodeAttribute) -> String? {
    guard let text = attributes[name.rawValue], !text.isEmpty else { return nil }
    return XcodeMappingText.unescaped(text)
  }

  func flag(_ name: XcodeAttribute) -> Bool {
    attributes[name.rawValue]?.filter { !$0.isWhitespace } == "1"
  }

  func integer(_ name: XcodeAttribute) -> Int64? {
    attributes[name.rawValue].flatMap { Int64($0.filter { !$0.isWhitespace }) }
  }

  /// The bytes of an attribute in base 64; `nil` if the attribute is absent or empty.
  func bytes(_ name: XcodeAttribute) throws(CodingError) -> [UInt8]? {
    guard let text = attributes[name.rawValue], text.contains(where: { !$0.isWhitespace }) else {
      return nil
    }
    // It may contain line breaks.
    guard let data = Data(base64Encoded: Data(text.utf8.filter { $0 > 0x20 })) else {
      throw .xml(
        line: line,
        reason: "has \(name.rawValue) that is not base 64 in the object that begins"
      )
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
    var result: [UInt16] = []
    var rest = Array(text.utf16)[...]
    while let unit = rest.first {
      let escaped = unit == 0x5C ? escape(rest.prefix(6)) : nil
      result.append(escaped ?? unit)
      rest = rest.dropFirst(escaped == nil ? 1 : 6)
    }
    return String(decoding: result, as: UTF16.self)
  }

  private static func escape(_ units: ArraySlice<UInt16>) -> UInt16? {
    let text = String(decoding: units, as: UTF16.self)
    // Otherwise a sign would be read.
    guard units.count == 6, text.hasPrefix("\\u"), text.dropFirst(2).allSatisfy(\.isHexDigit) else {
      return nil
    }
    return UInt16(text.dropFirst(2), radix: 16)?.byteSwapped
  }
}

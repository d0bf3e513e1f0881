internal import BulkCoding
internal import BulkModel

/// Reads `xcmapping.xml`, the only relevant file in an `.xcmappingmodel`.
///
/// Reading begins at the mapping model; objects that it does not refer to are leftovers of editing
/// (formats/mapping-models.md 1.7).
struct XcodeMappingReader {
  private static let modelType = "xddevmappingmodel"

  private let objects: [String: XcodeMappingObject]
  private var result = XcodeMapping()
  private var expressions = CanonicalExpressions()

  static func mapping(in bytes: [UInt8]) -> XcodeMapping {
    do throws(CodingError) {
      let (objects, root) = try XcodeMappingObject.objects(in: bytes)
      var reader = XcodeMappingReader(objects: objects)
      reader.read(root)
      return reader.result
    } catch {
      guard case .xml(let line, let reason) = error else {
        return XcodeMapping(faults: [DraftFault(.none, "", "\(error)")])
      }
      return XcodeMapping(faults: [DraftFault(.line(line), "", "the XML \(reason)")])
    }
  }

  private init(objects: [String: XcodeMappingObject]) { self.objects = objects }

  private mutating func read(_ root: String) {
    let models = objects.values.filter { $0.type == Self.modelType }
    guard root == "database", let model = models.first, models.count == 1 else {
      let count = models.isEmpty ? "no mapping model" : "\(models.count) mapping models"
      result.faults.append(DraftFault(.none, "", "it holds \(count), not one of Xcode's"))
      return
    }
    result.source = recorded(model, "source")
    result.destination = recorded(model, "destination")
    let mappings = linked(model, "entitymappings", type: "xddeventitymapping")
      .enumerated()
      .sorted { first, second in
        let number = first.element.integer("mappingnumber") ?? .max
        let other = second.element.integer("mappingnumber") ?? .max
        return number == other ? first.offset < second.offset : number < other
      }
    for mapping in mappings {
      read(mapping.element)
      if let fault = result.limitFault { return result.faults.append(fault) }
    }
  }

  private mutating func recorded(
    _ model: XcodeMappingObject,
    _ side: String
  ) -> XcodeMapping.RecordedModel {
    let copy = attempt(model, "") { () throws(CodingError) in
      try model.bytes("\(side)modeldata")
    }
    return XcodeMapping.RecordedModel(path: model.text("\(side)modelpath"), copy: copy ?? nil)
  }

  /// The objects that a link refers to, without duplicates, and only those of one type.
  private func linked(
    _ object: XcodeMappingObject,
    _ name: String,
    type: String
  ) -> [XcodeMappingObject] {
    var seen: Set<String> = []
    return (object.links[name] ?? []).filter { seen.insert($0).inserted }
      .compactMap { objects[$0] }.filter { $0.type == type }
  }

  private mutating func read(_ object: XcodeMappingObject) {
    let place = MappingPlace.line(object.line)
    var draft = EntityMappingDraft(place: place)
    draft.name = object.text("name").map { PlacedName(text: $0, place: place) }
    draft.source = object.text("sourcename").map { PlacedName(text: $0, place: place) }
    draft.destination = object.text("destinationname").map { PlacedName(text: $0, place: place) }
    guard !draft.isLeftOver else { return result.warnings.append(draft.leftOverWarning) }
    draft.policy = object.text("migrationpolicyclassname")
      .map { PlacedName(text: $0, place: place) }
    readFilter(of: object, into: &draft)
    draft.userInfo = userInfo(of: object, draft.subject)
    draft.attributes = properties("attribute", of: object, draft.subject)
    draft.relationships = properties("relationship", of: object, draft.subject)
    result.drafts.append(draft)
  }

  private mutating func properties(
    _ kind: String,
    of object: XcodeMappingObject,
    _ subject: String
  ) -> [PropertyMappingDraft] {
    linked(object, "\(kind)mappings", type: "xddev\(kind)mapping")
      .compactMap { property in property.text("name").map { (name: $0, object: property) } }
      .sorted { CodeUnitOrder.precedes($0.name, $1.name) }
      .map { property($0.object, $0.name, "\(subject), \(kind) \($0.name)") }
  }

  /// The filter is a separate text, or part of a custom expression for the source objects.
  private mutating func readFilter(
    of object: XcodeMappingObject,
    into draft: inout EntityMappingDraft
  ) {
    if let text = object.text("sourcefilterpredicatestring") {
      draft.filterText = PlacedName(text: text, place: draft.place)
      do throws(ExpressionError) {
        draft.filter = try ValuePredicate(format: text).asFilter
      } catch {
        result.faults.append(DraftFault(draft.place, draft.subject + ", filter", "\(error)"))
      }
    }
    guard !object.flag("autogenerateexpression"),
      let expression = expression(object, "sourceexpressiondata", draft.subject)
    else { return }
    guard let fetch = SourceFetch(expression, of: draft.source?.text) else {
      let reason = "it reads its objects by \(expression), which is not a plain fetch"
      return result.faults.append(DraftFault(draft.place, draft.subject, reason))
    }
    draft.filter = draft.filter ?? fetch.filter
  }

  private mutating func property(
    _ object: XcodeMappingObject,
    _ name: String,
    _ subject: String
  ) -> PropertyMappingDraft {
    var draft = PropertyMappingDraft(name: name, place: .line(object.line))
    draft.userInfo = userInfo(of: object, subject)
    if object.attributes["valueexpressiondata"] != nil {
      let value = expression(object, "valueexpressiondata", subject)
      draft.value = value.map { .expression($0) } ?? .faulty
      return draft
    }
    let mapping = object.text("sourcemappingname")
    guard let keyPath = object.text("sourcekeypath") else {
      if mapping != nil { draft.value = .lookup(mapping: mapping, instances: nil) }
      return draft
    }
    do throws(ExpressionError) {
      draft.value = .lookup(mapping: mapping, instances: try ValueExpression(format: keyPath))
    } catch {
      result.faults.append(DraftFault(draft.place, subject, "its key path \(keyPath): \(error)"))
      draft.value = .faulty
    }
    return draft
  }

  private mutating func expression(
    _ object: XcodeMappingObject,
    _ name: String,
    _ subject: String
  ) -> ValueExpression? {
    let bytes = attempt(object, subject) { () throws(CodingError) in try object.bytes(name) }
    guard let bytes = bytes ?? nil, !expressions.isFull else { return nil }
    do {
      return try expressions.canonical(try ValueExpression(archive: bytes))
    } catch let refusal as CanonicalExpressions.Refusal {
      result.faults.append(DraftFault(.line(object.line), subject, refusal.reason))
    } catch {
      result.faults.append(DraftFault(.line(object.line), subject, "\(name): \(error)"))
    }
    return nil
  }

  private mutating func userInfo(
    of object: XcodeMappingObject,
    _ subject: String
  ) -> [String: AttributeValue] {
    let archived = attempt(object, subject) { () throws(CodingError) in
      try object.bytes("userinfodata").map { bytes throws(CodingError) in
        try KeyedArchive(bytes).root?.userInfo ?? (values: [:], ignored: [])
      }
    }
    guard let info = archived ?? nil else { return [:] }
    result.warnings += info.ignored.map {
      "\(subject): the entry \($0) of its user info is ignored"
    }
    return info.values
  }

  /// Runs a body, and records what it throws as an error.
  private mutating func attempt<T>(
    _ object: XcodeMappingObject,
    _ subject: String,
    _ body: () throws(CodingError) -> T
  ) -> T? {
    do throws(CodingError) {
      return try body()
    } catch {
      result.faults.append(DraftFault(.line(object.line), subject, "\(error)"))
      return nil
    }
  }
}

extension ArchivedObject {
  /// The entries of a mapping's user info with plain, finite values, and the keys of the others in
  /// code-unit order.
  var userInfo: (values: [String: AttributeValue], ignored: [String]) {
    var values: [String: AttributeValue] = [:]
    var ignored: [String] = []
    for (key, value) in entries ?? [] {
      if let value = value?.attributeValue, value.json != nil {
        values[key] = value
      } else {
        ignored.append(key)
      }
    }
    return (values, ignored.sortedByCodeUnit())
  }
}

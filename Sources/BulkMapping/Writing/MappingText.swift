internal import BulkSupport
internal import BulkModel

extension MappingModel {
  /// The mapping model as a mapping file in JSON.
  ///
  /// Equal mapping models give equal texts, byte for byte: keys have a fixed order, each entry is on one
  /// line, and the text ends with a line break. Nothing is left to inference, so reading it with the same
  /// models gives an equal mapping model.
  public var json: String { json(sourceModel: nil, destinationModel: nil) }

  /// The same, with the paths of the models relative to the file.
  public func json(sourceModel: String?, destinationModel: String?) -> String {
    json(sourceModel: sourceModel, destinationModel: destinationModel, passes: [])
  }

  /// The same, with the source entities of each requested pass.
  package func json(
    sourceModel: String?,
    destinationModel: String?,
    passes: [[String]]
  ) -> String {
    MappingText(
      model: self,
      sourceModel: sourceModel,
      destinationModel: destinationModel,
      passes: passes
    ).text
  }
}

struct MappingText {
  let model: MappingModel
  let sourceModel: String?
  let destinationModel: String?
  var infer = MappingFile.Inference.none
  /// The source entities of each requested pass.
  var passes: [[String]] = []
  var isQuestion: (EntityMapping, PropertyMapping) -> Bool = { _, _ in false }

  var text: String {
    var entries = [("bulkmigrate", JSONText.quoted(MappingFile.format))]
    if let sourceModel {
      entries.append(("source", "{ \"model\": \(JSONText.quoted(sourceModel)) }"))
    }
    if let destinationModel {
      entries.append(("destination", "{ \"model\": \(JSONText.quoted(destinationModel)) }"))
    }
    entries.append(("infer", JSONText.quoted(infer.rawValue)))
    if !passes.isEmpty {
      let lists = passes.map { "[" + $0.map(JSONText.quoted).joined(separator: ", ") + "]" }
      entries.append(("passes", "[" + lists.joined(separator: ", ") + "]"))
    }
    let mappings = model.entityMappings.map { "    " + entityMapping($0) }
    let list = mappings.isEmpty ? "[]" : "[\n" + mappings.joined(separator: ",\n") + "\n  ]"
    entries.append(("entityMappings", list))
    return Self.object(entries, indent: "") + "\n"
  }

  private func entityMapping(_ mapping: EntityMapping) -> String {
    var entries = [
      ("name", JSONText.quoted(mapping.name)), ("type", JSONText.quoted(mapping.kind.name)),
    ]
    let texts = [
      ("source", mapping.sourceEntityName), ("destination", mapping.destinationEntityName),
      ("filter", mapping.filter?.description), ("policy", mapping.entityMigrationPolicyClassName),
      ("forEach", mapping.elements?.description),
    ]
    for case (let name, let text?) in texts { entries.append((name, JSONText.quoted(text))) }
    if let rule = mapping.uniqueness {
      let names = rule.attributes.map { JSONText.quoted($0) }.joined(separator: ", ")
      entries.append(("unique", "[\(names)]"))
      entries.append(("keep", JSONText.quoted(rule.kept.rawValue)))
    }
    if !mapping.userInfo.isEmpty {
      entries.append(("userInfo", Self.userInfo(mapping.userInfo, indent: "      ")))
    }
    let properties = [
      ("attributes", mapping.attributeMappings), ("relationships", mapping.relationshipMappings),
    ]
    for (name, list) in properties where !list.isEmpty {
      let lines = list.map { ($0.name, value(of: $0, in: mapping)) }
      entries.append((name, Self.object(lines, indent: "      ")))
    }
    return Self.object(entries, indent: "    ")
  }

  private func value(of property: PropertyMapping, in mapping: EntityMapping) -> String {
    let isUnknown = isQuestion(mapping, property)
    let short = isUnknown ? nil : Self.lookup(property)
    let value =
      isUnknown
      ? JSONText.quoted(MappingJSONReader.unknownMark)
      : property.valueExpression.map { JSONText.quoted($0.description) } ?? "null"
    guard !property.userInfo.isEmpty else {
      return short.map { "{ \($0.map { "\"\($0)\": \($1)" }.joined(separator: ", ")) }" } ?? value
    }
    let info = Self.userInfo(property.userInfo, indent: "          ")
    return Self.object((short ?? [("value", value)]) + [("userInfo", info)], indent: "        ")
  }

  /// The entries of the objects that an entity mapping makes of others; `nil` for any other value.
  private static func lookup(_ property: PropertyMapping) -> [(String, String)]? {
    guard let value = property.valueExpression else { return nil }
    let isFirst = value.takesFirst
    let objects = isFirst ? value.collectionOfFirst : value
    guard case .function(target: .variable("manager"), let selector, let arguments)? = objects,
      selector == ManagerSelector.instancesOfMapping.rawValue, arguments.count == 2,
      case .constant(.string(let name)) = arguments[0], !name.isEmpty,
      // anyObject has no short form.
      !isFirst || objects?.first == value
    else { return nil }
    var entries = [("mapping", JSONText.quoted(name))]
    if arguments[1] != InferredValue.copy(property.name) {
      entries.append(("of", JSONText.quoted(arguments[1].description)))
    }
    if isFirst { entries.append(("several", JSONText.quoted("first"))) }
    return entries
  }

  private static func userInfo(_ values: [String: AttributeValue], indent: String) -> String {
    let entries = values.keys.sortedByCodeUnit().compactMap { name in
      values[name]?.json.map { (name, $0) }
    }
    return object(entries, indent: indent)
  }

  private static func object(_ entries: [(String, String)], indent: String) -> String {
    let lines = entries.map { "\(indent)  \(JSONText.quoted($0.0)): \($0.1)" }
    return lines.isEmpty ? "{}" : "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
  }
}

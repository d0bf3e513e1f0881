internal import BulkSupport
internal import BulkModel

/// Writes `xcmapping.xml`, the content of an `.xcmappingmodel`.
///
/// Form: formats/mapping-models.md 1 and 2. Xcode does not store the types of entity mappings. A property that keeps its
/// default value although the source has one of its name is left out, because Xcode would copy it.
struct XcodeMappingWriter {
  private let models: ModelPair
  private var objects = ""
  /// Xcode counts from 102.
  private var lastNumber = 101

  /// The text, with the path and the archived copy of each model.
  static func xml(
    of mapping: MappingModel,
    between models: ModelPair,
    copies: [(path: String, archive: [UInt8])]
  ) -> String {
    var writer = XcodeMappingWriter(models: models)
    let root = writer.identifier()
    let list = mapping.entityMappings.enumerated().map { writer.add($1, number: $0 + 1, of: root) }
    writer.add(
      .model,
      root,
      [
        (.sourceModelPath, "string", escaped(copies[0].path)),
        (.sourceModel, "binary", base64(copies[0].archive)),
        (.destinationModelPath, "string", escaped(copies[1].path)),
        (.destinationModel, "binary", base64(copies[1].archive)),
      ],
      lists: [(.entity, list)]
    )
    return writer.document()
  }

  private init(models: ModelPair) { self.models = models }

  private mutating func identifier() -> String {
    lastNumber += 1
    return "z\(lastNumber)"
  }

  private mutating func add(_ mapping: EntityMapping, number: Int, of root: String) -> String {
    let id = identifier()
    let source = models.source.entity(named: mapping.sourceEntityName)
    let leaves = source.map { models.source.attributes(of: $0).map(\.name) } ?? []
    let attributes = mapping.attributeMappings.compactMap { property in
      let hasNamesake = leaves.contains { $0 == property.name || $0.hasPrefix(property.name + ".") }
      return add(property, .attribute, of: id, hasNamesake: hasNamesake)
    }
    let relationships = mapping.relationshipMappings.compactMap { property in
      let found = source.flatMap { models.source.relationship(named: property.name, of: $0) }
      return add(property, .relationship, of: id, hasNamesake: found != nil)
    }
    let usual = EntityMapping.usualName(mapping.sourceEntityName, mapping.destinationEntityName)
    let name = mapping.name == usual ? nil : mapping.name
    add(
      .entity,
      id,
      [
        (.filter, "string", mapping.filter.map { Self.escaped($0.description) }),
        (.userInfo, "binary", Self.userInfo(mapping.userInfo)),
        (.policy, "string", mapping.entityMigrationPolicyClassName.map(Self.escaped)),
        (.source, "string", mapping.sourceEntityName.map(Self.escaped)),
        (.name, "string", name.map(Self.escaped)),
        (.type, "string", "Undefined"), (.number, "int16", "\(number)"),
        (.destination, "string", mapping.destinationEntityName.map(Self.escaped)),
        (.isAutomatic, "bool", "1"),
      ],
      owner: (.model, root),
      lists: [(.attribute, attributes), (.relationship, relationships)]
    )
    return id
  }

  private mutating func add(
    _ property: PropertyMapping,
    _ type: XcodeObjectType,
    of owner: String,
    hasNamesake: Bool
  ) -> String? {
    guard property.valueExpression != nil || !hasNamesake else { return nil }
    // Xcode copies an attribute by its name; which objects it gives a relationship is known less well.
    let isUsual =
      type == .attribute && hasNamesake
      && property.valueExpression == InferredValue.copy(property.name)
    let value = isUsual ? nil : property.valueExpression.map { Self.base64($0.archive()) }
    let id = identifier()
    add(
      type,
      id,
      [
        (.value, "binary", value), (.userInfo, "binary", Self.userInfo(property.userInfo)),
        (.isAutomatic, "bool", type == .attribute ? nil : "1"),
        (.name, "string", Self.escaped(property.name)),
      ],
      owner: (.entity, owner)
    )
    return id
  }

  private mutating func add(
    _ type: XcodeObjectType,
    _ id: String,
    _ attributes: [(name: XcodeAttribute, type: String, text: String?)],
    owner: (type: XcodeObjectType, id: String)? = nil,
    lists: [(type: XcodeObjectType, ids: [String])] = []
  ) {
    objects += "    <object type=\"\(type.rawValue.uppercased())\" id=\"\(id)\">\n"
    for case (let name, let type, let text?) in attributes {
      objects +=
        "        <attribute name=\"\(name.rawValue)\" type=\"\(type)\">\(text)</attribute>\n"
    }
    let owners = owner.map { [($0.type.link, "1/1", $0.type, [$0.id])] } ?? []
    for (name, count, type, ids) in owners + lists.map({ ($0.type.list, "0/0", $0.type, $0.ids) }) {
      let references = ids.isEmpty ? "" : " idrefs=\"\(ids.joined(separator: " "))\""
      objects +=
        "        <relationship name=\"\(name)\" type=\"\(count)\""
        + " destination=\"\(type.rawValue.uppercased())\"\(references)></relationship>\n"
    }
    objects += "    </object>\n"
  }
}

extension XcodeMappingWriter {
  /// A text with the characters escaped that XML or Xcode's escapes would change.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<", ">", "\\", "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}",
        "\u{FFFE}", "\u{FFFF}":
        let unit = String(UInt16(scalar.value).byteSwapped, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - unit.count) + unit
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  /// Base 64 with the line breaks of Core Data's XML stores: after 76 characters, and at the end.
  private static func base64(_ bytes: [UInt8]) -> String {
    let text = Data(bytes).base64EncodedString()
    return [text.prefix(76), text.dropFirst(76)].filter { !$0.isEmpty }.map { $0 + "\n" }.joined()
  }

  private static func userInfo(_ values: [String: AttributeValue]) -> String? {
    var archive = KeyedArchiveWriter()
    return archive.add(userInfo: values).map { root in
      base64(BinaryPropertyListWriter.write(archive.finish(root: root).inArchiverOrder(of: [])))
    }
  }

  /// The whole text, with the version hashes of Xcode's own model, which are the same in all files.
  private func document() -> String {
    var hash = SHA256()
    hash.update(objects)
    let digest = VersionHash.hexadecimal(Array(hash.finalize().prefix(16))).uppercased()
    let uuid = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map {
      digest.dropFirst($0.lowerBound).prefix($0.count)
    }
    .joined(separator: "-")
    let hashes = [
      ("AttributeMapping", "0plcXXRN7XHKl5CcF+fwriFmUpON3ZtcI/AfK748aWc="),
      ("EntityMapping", "qeN1Ym3TkWN1G6dU9RfX6Kd2ccEvcDVWHpd3LpLgboI="),
      ("MappingModel", "EqtMzvRnVZWkXwBHu4VeVGy8UyoOe+bi67KC79kphlQ="),
      ("PropertyMapping", "XN33V44TTGY4JETlMoOB5yyTKxB+u4slvDIinv0rtGA="),
      ("RelationshipMapping", "akYY9LhehVA/mCb4ATLWuI9XGLcjpm14wWL1oEBtIcs="),
    ]
    let entry = String(repeating: " ", count: 24)
    let list = hashes.map { name, hash in
      "\(entry)<key>XDDev\(name)</key>\n\(entry)<data>\n\t\t\(hash)\n\t\t</data>\n"
    }
    return """
      <?xml version="1.0" standalone="yes"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>
          <databaseInfo>
              <version>134481920</version>
              <UUID>\(uuid)</UUID>
              <nextObjectID>\(lastNumber)</nextObjectID>
              <metadata>
                  <plist version="1.0">
                      <dict>
                          <key>NSPersistenceFrameworkVersion</key>
                          <integer>1344</integer>
                          <key>NSStoreModelVersionChecksumKey</key>
                          <string>bMpud663vz0bXQE24C6Rh4MvJ5jVnzsD2sI3njZkKbc=</string>
                          <key>NSStoreModelVersionHashes</key>
                          <dict>
      \(list.joined())                    </dict>
                          <key>NSStoreModelVersionHashesDigest</key>
                          <string>+Hmc2uYZK6og+Pvx5GUJ7oW75UG4V/ksQanTjfTKUnxyGWJRMtB5tIRgVwGsrd7lz/QR57++wbvWsr6nxwyS0A==</string>
                          <key>NSStoreModelVersionHashesVersion</key>
                          <integer>3</integer>
                          <key>NSStoreModelVersionIdentifiers</key>
                          <array>
                              <string></string>
                          </array>
                      </dict>
                  </plist>
              </metadata>
          </databaseInfo>
      \(objects)</database>
      """
  }
}

internal import BulkCoding

/// Reads the source of a model: the XML file `contents` of an `.xcdatamodel`.
///
/// Its root is `<model type="com.apple.IDECoreDataModeler.DataModel">`. Unknown elements and attributes are
/// ignored, because every editor adds some.
enum SourceModelReader {
  private static let type = "com.apple.IDECoreDataModeler.DataModel"

  static func model(from bytes: [UInt8], path: String) throws(ModelError) -> ManagedObjectModel {
    let root: SourceElement
    do throws(CodingError) {
      root = try SourceElement.root(of: bytes)
    } catch {
      throw fault(error, path: path)
    }
    guard root.name == "model", (root.text("type") ?? type) == type else {
      throw .notAModel(path: path, reason: "its XML is a <\(root.name)> and no data model")
    }
    let context = SourceContext(path: path, element: root, subject: "")
    return try model(context)
  }

  private static func fault(_ error: CodingError, path: String) -> ModelError {
    guard case .xml(let line, let reason) = error else {
      return .notAModel(path: path, reason: "\(error)")
    }
    return .invalid(path: path, place: "line \(line)", reason: "the XML \(reason)")
  }

  private static func model(_ context: SourceContext) throws(ModelError) -> ManagedObjectModel {
    let reader = SourceEntityReader(attributes: SourceAttributeReader(model: context))
    var parts = ModelParts()
    for child in context.children("entity") { parts.entities.append(try reader.entity(child)) }
    for child in context.children("fetchRequest") {
      parts.fetchRequestTemplates.append(try SourceEntityReader.fetchRequest(child))
    }
    for child in context.children("configuration") {
      let members = child.element.children("memberEntity").compactMap { $0.text("name") }
      parts.configurations[try child.required("name")] = members
    }
    if let identifier = context.element.attributes["userDefinedModelVersionIdentifier"] {
      parts.versionIdentifiers = [identifier]
    }
    return try parts.model(path: context.path)
  }
}

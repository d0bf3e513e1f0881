internal import BulkSupport

extension ManagedObjectModel {
  /// Reads a model from a file or a folder.
  ///
  /// The path may name an `.xcdatamodel`, the file `contents` or `elements` in one, a `.mom`, or a
  /// package of versions (`.xcdatamodeld`, `.momd`), of which the current version is read.
  ///
  /// - Throws: ``ModelError`` if the model is missing, if it is invalid, or if a package has several versions
  ///   without a current one.
  public init(contentsOf path: String) throws(ModelError) {
    let file = ModelFile(path)
    guard file.isFolder else {
      self = try Self.model(in: file)
      return
    }
    let content = ["contents", "elements"].map(file.file).first(where: \.exists)
    if let content {
      self = try Self.model(in: content)
      return
    }
    guard file.extension != "xcdatamodel" else {
      throw .notAModel(path: path, reason: "the folder holds neither contents nor elements")
    }
    self = try ModelPackage(contentsOf: path).currentVersion().model()
  }

  /// The kind of model is detected by content, not by name.
  private static func model(in file: ModelFile) throws(ModelError) -> ManagedObjectModel {
    let bytes = try file.bytes()
    if PropertyList.isXML(bytes), !isXMLPropertyList(bytes) {
      return try SourceRecord(bytes, path: file.path).model()
    }
    return try model(archive: bytes, path: file.path)
  }

  /// Whether the root element of an XML file is that of a property list.
  private static func isXMLPropertyList(_ bytes: [UInt8]) -> Bool {
    guard
      var scanner = try? XMLScanner(bytes), case .start(let name, _)? = try? scanner.next()
    else { return false }
    return name == "plist"
  }

  /// Reads a model from a keyed archive: a `.mom`, the file `elements`, or a copy of either in a store or a mapping
  /// model.
  package static func model(
    archive bytes: [UInt8],
    path: String
  ) throws(ModelError) -> ManagedObjectModel {
    let archive: KeyedArchive
    do throws(CodingError) {
      archive = try KeyedArchive(bytes)
    } catch {
      throw .notAModel(path: path, reason: "\(error)")
    }
    guard let root = archive.root else {
      throw .notAModel(path: path, reason: "its archive has no root object")
    }
    if root.isKind(of: "NSManagedObjectModel") {
      return try CompiledRecord(root, path: path).model()
    }
    if root.isKind(of: "XDPMModel") { return try ElementsRecord(root, path: path).model() }
    throw .notAModel(
      path: path,
      reason: "its archive holds \(root.className.map { "a \($0)" } ?? "a plain value")"
    )
  }
}

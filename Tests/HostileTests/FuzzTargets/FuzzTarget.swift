import BulkSupport
import BulkMapping
import BulkModel
import BulkPlan
import BulkStore
import Foundation

/// A reader of bytes from anywhere; `tools/fuzz` feeds it with those that reach new code.
///
/// It may refuse them by throwing; what must not happen is a trap, a hang, or a result that does not
/// survive being written and read again.
enum FuzzTarget: String, CaseIterable {
  /// Property lists of all three formats.
  case plist
  /// The source of a model, as Xcode writes it.
  case model
  /// A compiled model: a keyed archive in any format of property lists.
  case archive
  /// The model that a store keeps of itself, packed.
  case cache
  /// The metadata of a store.
  case metadata
  /// A whole store.
  case store
  /// A plan.
  case plan
  /// A mapping file in JSON.
  case mapping
  /// The source of a mapping model, as Xcode writes it.
  case xcmapping
  /// A compiled mapping model.
  case cdm
  /// Predicates and expressions as text.
  case expression
  /// Streams of zlib, as they are and made of the bytes.
  case deflate
  /// A regular expression in the first line, and a text that PCRE2 matches with it.
  case pattern
  /// Texts that utf8proc normalizes and folds, with the outcome of Foundation.
  case folding
  /// Tables that are written as pages and by SQL, with the same outcome.
  case pages
  /// Rows of a source, possibly damaged, that are copied without SQL and by it.
  case copies

  /// Reads the bytes, by files in a folder that no other target has at the same time.
  func run(_ bytes: [UInt8], in folder: String) {
    do {
      switch self {
      case .plist: try Self.plist(bytes)
      case .model: try Self.model(ManagedObjectModel(contentsOf: file(bytes, folder)))
      case .archive: try Self.model(ManagedObjectModel.model(archive: bytes, path: "archive"))
      case .cache: try Self.model(ModelCache.model(from: bytes))
      case .metadata: try Self.metadata(bytes)
      case .store: try Self.store(file(bytes, folder))
      case .plan: _ = try MigrationPlan(contentsOf: file(bytes, folder)).rows
      case .mapping, .xcmapping, .cdm: try Self.mapping(file(bytes, folder))
      case .expression: try Self.expression(String(decoding: bytes, as: UTF8.self))
      case .deflate: try Self.deflate(bytes)
      case .pattern: try Self.pattern(String(decoding: bytes, as: UTF8.self))
      case .folding: Self.folding(String(decoding: bytes, as: UTF8.self))
      case .pages: try WrittenTables(bytes, in: emptied(folder)).run()
      case .copies: try CopiedTable(bytes, in: emptied(folder)).run()
      }
    } catch let finding as Finding {
      // The fuzzer keeps the input of a process that ends this way.
      preconditionFailure("\(finding)")
    } catch {
      precondition(!"\(error)".isEmpty, "an error says something")
    }
  }

  private static func plist(_ bytes: [UInt8]) throws {
    let list = try PropertyList(bytes)
    let written = BinaryPropertyListWriter.write(list)
    let again = try PropertyList(written)
    precondition(BinaryPropertyListWriter.write(again) == written, "equal lists, equal bytes")
  }

  private static func model(_ model: ManagedObjectModel) throws {
    let hashes = model.entityVersionHashesByName
    let schema = StoreSchema(model)
    _ = schema.indexes.map(\.sql) + schema.derivedAttributes.flatMap(\.triggers).map(\.sql)
    _ = schema.entityTables.map(SchemaSQL.create) + schema.joinTables.map(SchemaSQL.create)
    let archive = CompiledModelWriter.archive(of: model)
    let again = try ManagedObjectModel.model(archive: archive, path: "again")
    precondition(again.entityVersionHashesByName == hashes, "equal models, equal hashes")
    _ = try MappingModel.inferred(from: model, to: again)
  }

  private static func metadata(_ bytes: [UInt8]) throws {
    guard case .dictionary(let entries) = try PropertyList(bytes) else { return }
    let metadata = StoreMetadata(uuid: "", entries: entries)
    _ = (metadata.versionHashes, metadata.versionIdentifiers, metadata.frameworkVersion)
    _ = metadata.applicationEntries.mapValues(\.text)
    _ = metadata.salvage
    let hashes = Seeds.model.entityVersionHashesByName
    _ = metadata.migrated(to: Seeds.model, hashes: hashes).propertyListBytes
  }

  private static func store(_ path: String) throws {
    _ = try Inspection.inspect(path)
    let store = try PersistentStore(path: path)
    _ = try store.primaryKeys()
    let layout = try store.layout(for: Seeds.model)
    for table in layout.unmanagedTables { _ = try store.meanRowSize(in: table) }
  }

  private static func mapping(_ path: String) throws {
    let models = ModelPair(from: Seeds.model, to: Seeds.model)
    _ = try MappingFile.read(path).findings(between: models)
    let (model, _) = try MappingFile.read(path).mappingModel(between: models)
    let written = path + ".again.json"
    try Data(model.json.utf8).write(to: URL(fileURLWithPath: written))
    let (again, _) = try MappingFile.read(written).mappingModel(between: models)
    precondition(again == model, "written, read again")
    try xcodeFiles(path, model, models)
  }

  /// Writes both forms of Xcode, if Core Data can carry the mapping out, and reads them.
  private static func xcodeFiles(_ path: String, _ model: MappingModel, _ models: ModelPair) throws
  {
    let file = try MappingFile.read(path)
    let known = try file.mappingModel(between: models, isForCoreData: true).model
    let folder = URL(fileURLWithPath: path + ".again")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, paths) in [("again.cdm", nil), ("xcmapping.xml", ("a", "b"))] {
      let bytes = try known.xcodeFile(between: models, at: paths)
      let written = folder.appendingPathComponent(name)
      try Data(bytes).write(to: written)
      do {
        let again = try MappingFile.read(written.path)
        let same = try again.mappingModel(between: models).model
        precondition(paths != nil || same == model, "compiled, read again")
        let second = try again.mappingModel(between: models, isForCoreData: true).model
        let bytesAgain = try second.xcodeFile(between: models, at: paths)
        precondition(bytesAgain == bytes, "read, written again")
      } catch {
        preconditionFailure("what was written is refused: \(error)")
      }
    }
  }

  private static func expression(_ text: String) throws {
    let separator = text.firstIndex(of: "\n") ?? text.startIndex
    if text.hasPrefix("p") {
      let predicate = try ValuePredicate(format: String(text[separator...]))
      let again = try ValuePredicate(format: "\(predicate)")
      precondition(again == predicate, "printed, read again")
    } else {
      let value = try ValueExpression(format: String(text[separator...]))
      let again = try ValueExpression(format: "\(value)")
      precondition(again == value, "printed, read again")
    }
  }

  private static func deflate(_ bytes: [UInt8]) throws {
    let same = try RawDeflate.inflate(RawDeflate.deflate(bytes), limit: bytes.count)
    precondition(same == bytes, "packed, unpacked")
    let output = try RawDeflate.inflate(bytes, limit: 1 << 20)
    precondition(output.count <= 1 << 20, "no more than the limit")
  }

  private static func pattern(_ text: String) throws {
    let separator = text.firstIndex(of: "\n") ?? text.endIndex
    for isCaseInsensitive in [false, true] {
      let pattern = String(text[..<separator])
      let expression = try RegularExpression(pattern, isCaseInsensitive: isCaseInsensitive)
      let matches = try expression.matchesWhole(String(text[separator...].dropFirst()))
      let again = try expression.matchesWhole(String(text[separator...].dropFirst()))
      precondition(matches == again, "a match leaves nothing behind")
    }
  }

  private static func folding(_ text: String) {
    // Foundation sorts the parts of these three in an order of its own, composes any two parts of a Hangul syllable,
    // and scalars above U+FFFF by their lower half alone.
    let sorted: Set<Unicode.Scalar> = ["\u{F73}", "\u{F75}", "\u{F81}"]
    func differs(_ scalar: Unicode.Scalar) -> Bool {
      sorted.contains(scalar) || (0x1100...0x11FF).contains(scalar.value) || scalar.value > 0xFFFF
    }
    if text.unicodeScalars.contains(where: differs) { return }
    func expect(_ ours: String, _ foundation: String, _ what: String) {
      precondition(ours.unicodeScalars.elementsEqual(foundation.unicodeScalars), what)
    }
    expect(CanonicalForm.decomposed(text), text.decomposedStringWithCanonicalMapping, "form D")
    expect(CanonicalForm.composed(text), text.precomposedStringWithCanonicalMapping, "form C")
    for options: String.CompareOptions in [
      .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
    ] {
      let folding = TextFolding(
        ignoresCase: options.contains(.caseInsensitive),
        ignoresDiacritics: options.contains(.diacriticInsensitive)
      )
      let foundation = text.folding(options: options, locale: nil)
      let composed = foundation.precomposedStringWithCanonicalMapping
      expect(folding.folded(text), composed, "folded by \(options.rawValue)")
    }
  }

  /// The folder, without its files.
  private func emptied(_ folder: String) throws -> String {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      unlink(folder + "/" + name)
    }
    return folder
  }

  /// Puts the bytes into a file, and returns its path.
  private func file(_ bytes: [UInt8], _ folder: String) -> String {
    let names: [FuzzTarget: String] = [
      .mapping: "input.json", .cdm: "input.cdm", .xcmapping: "xcmapping.xml",
    ]
    let path = folder + "/" + (names[self] ?? "input")
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    precondition(write(descriptor, bytes, bytes.count) == bytes.count, "the file takes the bytes")
    close(descriptor)
    return path
  }
}

import BulkVersions
import BulkCoding
import BulkMapping
import BulkModel
import BulkPlan
import BulkTestSupport
import Foundation
import Testing

/// Inputs that `tools/fuzz` made out of the project's own, chosen because they reach different code.
@Suite("Inputs of the fuzzers") struct CorpusTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Corpus").path

  private static func inputs(_ target: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(target)")
    return (names ?? []).sorted().map { "\(target)/\($0)" }
  }

  private func bytes(_ input: String) throws -> [UInt8] { try Files.read("\(Self.root)/\(input)") }

  private func file(_ input: String, named name: String) throws -> String {
    try Files.write(bytes(input), to: folder.path(name))
    return folder.path(name)
  }

  /// Runs a body that may refuse its input, but only with a text.
  private func mayRefuse(_ body: () throws -> Void) {
    do { try body() } catch { #expect(!"\(error)".isEmpty) }
  }

  @Test(arguments: inputs("plist") + inputs("metadata"))
  func `a property list is refused, or survives being written`(input: String) throws {
    let bytes = try bytes(input)
    mayRefuse {
      let written = BinaryPropertyListWriter.write(try PropertyList(bytes))
      #expect(BinaryPropertyListWriter.write(try PropertyList(written)) == written)
    }
  }

  @Test(arguments: inputs("model") + inputs("archive") + inputs("cache"))
  func `a model is refused, or survives being written`(input: String) throws {
    let path = try file(input, named: "model")
    let bytes = try bytes(input)
    mayRefuse {
      let model =
        input.hasPrefix("cache/")
        ? try ModelCache.model(from: bytes) : try ManagedObjectModel(contentsOf: path)
      let archive = CompiledModelWriter.archive(of: model)
      let again = try ManagedObjectModel.model(archive: archive, path: "again")
      #expect(again.entityVersionHashesByName == model.entityVersionHashesByName)
    }
  }

  /// The first line says what the rest is: a predicate where it begins with `p`, else an expression.
  @Test(arguments: inputs("expression"))
  func `an expression is refused, or survives being printed`(input: String) throws {
    let text = String(decoding: try bytes(input), as: UTF8.self)
    let rest = String(text[(text.firstIndex(of: "\n") ?? text.startIndex)...])
    mayRefuse {
      if text.hasPrefix("p") {
        let predicate = try ValuePredicate(format: rest)
        #expect(try ValuePredicate(format: "\(predicate)") == predicate)
      } else {
        let value = try ValueExpression(format: rest)
        #expect(try ValueExpression(format: "\(value)") == value)
      }
    }
  }

  @Test(arguments: inputs("store"))
  func `a store is refused or described`(input: String) throws {
    let path = try file(input, named: "store.sqlite")
    mayRefuse { _ = try Inspection.inspect(path) }
  }

  @Test(arguments: inputs("plan"))
  func `a plan is refused or read`(input: String) throws {
    let path = try file(input, named: "plan.json")
    mayRefuse { _ = try MigrationPlan(contentsOf: path).rows }
  }

  /// The inputs were made of mappings of the model in `Corpus/mapped.xml` to itself.
  @Test(arguments: inputs("mapping") + inputs("xcmapping") + inputs("cdm"))
  func `a mapping is refused, or survives being written`(input: String) throws {
    let model = try ManagedObjectModel(contentsOf: "\(Self.root)/mapped.xml")
    let models = ModelPair(from: model, to: model)
    let names = ["mapping": "m.json", "xcmapping": "xcmapping.xml", "cdm": "m.cdm"]
    let path = try file(input, named: names[String(input.prefix { $0 != "/" })] ?? "")
    mayRefuse { _ = try Inspection.inspect(path) }
    mayRefuse {
      let file = try MappingFile.read(path)
      #expect(try file.findings(between: models).allSatisfy { !$0.reason.isEmpty })
      let mapping = try file.mappingModel(between: models).model
      try Files.write(Array(mapping.json.utf8), to: folder.path("again.json"))
      let again = try MappingFile.read(folder.path("again.json"))
        .mappingModel(between: models).model
      #expect(again == mapping)
    }
  }

  /// The first inputs that the fuzzers were given are sound.
  @Test(arguments: ["mapping/24", "xcmapping/00", "cdm/00"])
  func `a sound mapping among the inputs is read`(input: String) throws {
    let names = ["mapping": "m.json", "xcmapping": "xcmapping.xml", "cdm": "m.cdm"]
    let path = try file(input, named: names[String(input.prefix { $0 != "/" })] ?? "")
    let model = try ManagedObjectModel(contentsOf: "\(Self.root)/mapped.xml")
    let models = ModelPair(from: model, to: model)
    let mapping = try MappingFile.read(path).mappingModel(between: models).model
    #expect(mapping.entityMappings.isEmpty == false)
  }

  /// A digest can be made for any text, so it proves nothing.
  @Test(arguments: [Int64.max, .min, -1])
  func `a plan that promises impossible rows is refused`(rows: Int64) throws {
    let store = try SmallStore()
    let source = store.folder.path("sound.sqlite")
    var plan = try Planner.plan(store.request(source, to: store.folder.path("d.sqlite")))
    plan.passes[0].rows = rows
    plan.fingerprint = plan.computedFingerprint
    let path = folder.path("plan.json")
    try plan.encoded().write(to: URL(fileURLWithPath: path))
    let error = try #require(throws: PlanError.self) { try MigrationPlan(contentsOf: path) }
    #expect(
      "\(error)"
        == "\(path) is not a plan that can be run: it promises rows or bytes that no store can have"
    )
  }
}

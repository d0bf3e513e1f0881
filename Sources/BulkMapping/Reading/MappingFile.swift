internal import BulkSupport
package import BulkModel

/// A mapping file: how two models map, and where a migration's models and stores are.
///
/// It is JSON as described in `Plans/schemas/mapping.schema.json`, or a file of Xcode: an `.xcmappingmodel` or a
/// compiled `.cdm`. Its paths are relative to the file.
package struct MappingFile: Sendable {
  package static let format = "mapping/1"
  /// The only relevant file in an `.xcmappingmodel`.
  package static let xcodeSourceName = "xcmapping.xml"

  package struct Endpoint: Hashable, Sendable {
    /// The store, as an absolute path.
    package var store: String?
    /// The model, as an absolute path.
    package var model: String?
  }

  package enum Side: String, Hashable, Sendable {
    case source
    case destination
  }

  /// The treatment of entities and properties that the file does not mention.
  package enum Inference: String, Hashable, Sendable, CaseIterable {
    /// They are inferred from the models.
    case unmentioned
    /// They are left out.
    case none
  }

  /// The path of the file, as given.
  package let path: String
  package internal(set) var source = Endpoint()
  package internal(set) var destination = Endpoint()
  package internal(set) var infer = Inference.unmentioned
  /// The route over several versions in a JSON file: models in order with the mappings between them, as
  /// absolute paths; `nil` if the file has none.
  package internal(set) var chain: [String]?
  /// The files to read for the same mapping, in order: one, unless several were joined without a file that
  /// lists them.
  package internal(set) var paths: [String]
  /// Whether to-one relationships take the first of several objects, although the file does not say so.
  package private(set) var takesFirst = false
  /// Where errors of the whole mapping are.
  var origin: MappingOrigin
  /// The files whose content is the mapping, in order; at least one.
  var parts: [MappingPart]

  init(_ path: String, _ origin: MappingOrigin, _ parts: [MappingPart]) {
    (self.path, self.origin, self.parts) = (path, origin, parts)
    paths = [path]
  }

  var drafts: [EntityMappingDraft] { parts.flatMap(\.drafts) }

  /// The Xcode file from which entity mappings are, the first of several.
  package var xcodePath: String? { parts.first(where: \.isXcode)?.origin.path }

  /// The other files whose content it takes over, where they are several, or have passes or expectations added.
  package var listedPaths: [String] {
    parts.count == 1 ? [] : parts.map(\.origin.path).filter { $0 != path }
  }

  /// The names of the source entities of each pass that the files request.
  package var passLists: [[String]] { parts.flatMap(\.passes).map { $0.map(\.text) } }

  /// Whether the file contains any mapping; otherwise everything is inferred.
  package var hasMapping: Bool {
    infer == .none || parts.contains { $0.isXcode || !$0.drafts.isEmpty }
  }

  /// The same mapping, in which entities that no file mentions are left out.
  package var withoutInference: MappingFile {
    var result = self
    result.infer = .none
    return result
  }

  /// The same mapping, in which to-one relationships take the first of several objects.
  package var takingFirst: MappingFile {
    var result = self
    result.takesFirst = true
    return result
  }

  package var hasExpectations: Bool { parts.contains { !$0.expectations.isEmpty } }

  /// The names of its explicit entity mappings, in order.
  package var entityMappingNames: [String] { drafts.map(\.effectiveName) }

  /// The entities of a model that entity mappings name.
  package func mappedEntities(of side: Side) -> Set<String> {
    Set(drafts.compactMap { (side == .source ? $0.source : $0.destination)?.text })
  }

  /// The version hashes of the entities for which the file was compiled, by name.
  ///
  /// A `.cdm` has them in its entity mappings; entities without a mapping are missing. Other files have
  /// none.
  package func compiledHashes(of side: Side) -> [String: VersionHash] {
    var result: [String: VersionHash] = [:]
    for draft in drafts {
      let name = side == .source ? draft.source?.text : draft.destination?.text
      if let name, let hash = side == .source ? draft.sourceHash : draft.destinationHash {
        result[name] = hash
      }
    }
    return result
  }

  /// Whether Xcode's file contains a copy of a model.
  package func hasCopy(of side: Side) -> Bool {
    parts.first(where: \.isXcode)?.copies[side] != nil
  }

  /// The path of a model in Xcode's project, from when the mapping was last saved.
  package func recordedPath(of side: Side) -> String? {
    parts.first(where: \.isXcode)?.modelPaths[side]
  }

  /// The copy of a model in the first file of Xcode, from when the mapping was last saved.
  package func copy(of side: Side) throws(MappingError) -> ManagedObjectModel {
    guard let part = parts.first(where: \.isXcode), part.copies[side] != nil else {
      throw .unreadable(path: path, reason: "it holds no copy of the \(side.rawValue) model")
    }
    return try part.copy(of: side)
  }
}

/// The content of one of the files of a mapping.
struct MappingPart: Sendable {
  let origin: MappingOrigin
  var drafts: [EntityMappingDraft] = []
  /// The source entities of each pass that the file requests.
  var passes: [[LocatedName]] = []
  var expectations: [ExpectationDraft] = []
  /// Whether a property that an entity mapping does not mention is mapped by its name.
  var fillsProperties = true
  /// Whether it adds passes and expectations to other files.
  var isListing = false
  var isXcode = false
  /// The copies of models in a file of Xcode, as archives.
  var copies: [MappingFile.Side: [UInt8]] = [:]
  /// Where their models were, from the project.
  var modelPaths: [MappingFile.Side: String] = [:]
  /// The violations of the format.
  var errors: [Diagnostic] = []
  /// Warnings about ignored content, a sentence each.
  var warnings: [String] = []

  init(_ origin: MappingOrigin) { self.origin = origin }

  fileprivate func copy(
    of side: MappingFile.Side
  ) throws(MappingError) -> ManagedObjectModel {
    do throws(ModelError) {
      return try ManagedObjectModel.model(archive: copies[side] ?? [], path: "the copy")
    } catch {
      let reason = "its copy of the \(side.rawValue) model: \(error)"
      throw .unreadable(path: origin.path, reason: reason)
    }
  }

  /// Warnings about copies that differ from the models in use, entity by entity.
  func staleCopies(_ models: ModelPair) -> [String] {
    let sides = [(MappingFile.Side.source, models.source), (.destination, models.destination)]
    return sides.compactMap { side, model in
      guard copies[side] != nil else { return nil }
      do throws(MappingError) {
        let differences = Self.differences(try copy(of: side), model)
        return differences.isEmpty
          ? nil
          : "the \(side.rawValue) model has changed since the mapping was saved: "
            + differences.joined(separator: ", ")
      } catch {
        return "\(error)"
      }
    }
  }

  /// The entities that differ between a copy and a model, in code-unit order, with both hashes.
  private static func differences(
    _ copy: ManagedObjectModel,
    _ model: ManagedObjectModel
  ) -> [String] {
    let (one, other) = (copy.entityVersionHashesByName, model.entityVersionHashesByName)
    let names = Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }
    return names.sortedByCodeUnit().map { name in
      switch (one[name], other[name]) {
      case (let before?, let now?):
        "\(name) has the version hash \(short(before)) in the copy and \(short(now)) in the model"
      case (_?, nil): "\(name) is only in the copy"
      case (nil, _): "\(name) is only in the model"
      }
    }
  }

  /// Enough digits of a hash to distinguish it from others.
  private static func short(_ hash: VersionHash) -> String { "\(hash.description.prefix(12))…" }
}

internal import BulkCoding
package import BulkModel
internal import BulkPlatform

/// A mapping file: how two models map, and where a migration's models and stores are.
///
/// It is JSON as described in `Plans/schemas/mapping.schema.json`, or a file of Xcode: an `.xcmappingmodel` or a
/// compiled `.cdm`. Its paths are relative to the file.
package struct MappingFile: Sendable {
  /// The value of `bulkmigrate` in the JSON format.
  package static let format = "mapping/1"

  /// A store and its model.
  package struct Place: Hashable, Sendable {
    /// The store, as an absolute path.
    package var store: String?
    /// The model, as an absolute path.
    package var model: String?
  }

  /// The treatment of entities and properties that the file does not mention.
  package enum Inference: String, Hashable, Sendable, CaseIterable {
    /// They are inferred from the models.
    case unmentioned
    /// They are left out.
    case none
  }

  /// The maximum number of errors that are reported.
  private static let faultLimit = 1000

  /// The path of the file, as given.
  package let path: String
  /// The store and the model of the source.
  package internal(set) var source = Place()
  /// The store and the model of the destination.
  package internal(set) var destination = Place()
  /// The treatment of entities and properties that the file does not mention.
  package internal(set) var infer = Inference.unmentioned
  /// The Xcode file from which a JSON file takes its entity mappings.
  package internal(set) var xcodePath: String?

  /// The route over several versions in a JSON file: models in order with the mappings between them, as
  /// absolute paths; `nil` if the file has none.
  package internal(set) var chain: [String]?

  /// The files that together are this mapping, in the order given; empty for a single file.
  package internal(set) var parts: [MappingFile] = []

  /// Whether another file lists it.
  var isPart = false

  /// The source entities of each pass that the file requests.
  var passes: [[PlacedName]] = []

  /// The names of the source entities of each pass that the file and its parts request.
  package var passLists: [[String]] { members.flatMap(\.passes).map { $0.map(\.text) } }

  var drafts: [EntityMappingDraft] = []
  /// The file's expectations of a destination.
  var expectations: [ExpectationDraft] = []
  /// Whether a property that an entity mapping does not mention is mapped by its name.
  var fillsProperties = true
  var xcode: XcodeMapping?
  var document: JSONDocument?
  var draftFaults: [DraftFault] = []
  /// Whether the errors make the whole file unusable.
  var isBroken = false

  /// The files to read for the same mapping, in order: one, unless several were joined without a file that
  /// lists them.
  package internal(set) var paths: [String]

  init(path: String) {
    self.path = path
    paths = [path]
  }

  /// Whether the file contains any mapping; otherwise everything is inferred.
  package var hasMapping: Bool { xcode != nil || !drafts.isEmpty || infer == .none }

  /// The files in which errors may be: the parts, then the file that joins them.
  var members: [MappingFile] { parts.isEmpty ? [self] : parts + [self] }

  /// The same mapping, in which entities that no file mentions are left out.
  package var withoutInference: MappingFile {
    var result = self
    result.infer = .none
    return result
  }

  /// Whether to-one relationships take the first of several objects, although the file does not say so.
  package private(set) var takesFirst = false

  /// The same mapping, in which to-one relationships take the first of several objects.
  package var takingFirst: MappingFile {
    var result = self
    result.takesFirst = true
    return result
  }

  /// Whether the file or its parts expect anything of a destination.
  package var hasExpectations: Bool { members.contains { !$0.expectations.isEmpty } }

  /// The names of its explicit entity mappings, in order.
  package var entityMappingNames: [String] { drafts.map(\.effectiveName) }

  /// Reads a mapping file.
  ///
  /// - Parameter path: The file, or the folder that an `.xcmappingmodel` is.
  /// - Returns: The file. Errors in its entity mappings are kept, so that they can be reported together
  ///   with those found by comparing it with the models.
  /// - Throws: ``MappingError`` if it cannot be read or is not a mapping file.
  package static func read(_ path: String) throws(MappingError) -> MappingFile {
    try read(path, isPart: false)
  }

  /// Reads a mapping file, which must not list other files if it is a part of another one.
  static func read(_ path: String, isPart: Bool) throws(MappingError) -> MappingFile {
    var file = MappingFile(path: path)
    file.isPart = isPart
    if XcodeMapping.isXcodePath(path) {
      file.takeXcode(try XcodeMapping.read(path), from: path)
      file.infer = .none
    } else {
      try file.readJSON()
    }
    if file.isBroken { try file.refuseFaults() }
    return file
  }

  /// Rejects a file that violates its format.
  ///
  /// - Throws: ``MappingError/invalid(path:faults:)`` with every error.
  package func refuseFaults() throws(MappingError) { try refuse([]) }

  /// The mapping model that the file describes between two models.
  ///
  /// - Returns: The mapping model, and warnings, a sentence each.
  /// - Throws: ``MappingError/invalid(path:faults:)`` with every error in the file and every name in it
  ///   that the models do not have.
  package func mappingModel(
    between models: ModelPair
  ) throws(MappingError) -> (model: MappingModel, warnings: [String]) {
    let found = try resolution(between: models)
    return (found.model, found.warnings)
  }

  /// The mapping model between two models, and what it was made from.
  func resolution(between models: ModelPair) throws(MappingError) -> MappingResolution {
    var join = MappingJoin(self, between: models)
    var found = join.resolution()
    if takesFirst { found.model = found.model.takingFirst(between: models) }
    let expected = expectationFaults(models)
    try refuse(
      members.indices.map { index in
        (found.faults.indices.contains(index) ? found.faults[index] : []) + expected[index]
      }
    )
    return found
  }

  mutating func takeXcode(_ mapping: XcodeMapping, from path: String) {
    xcode = mapping
    xcodePath = path
    drafts = mapping.drafts
    draftFaults += mapping.faults
    fillsProperties = false
  }

  /// Rejects the file if it violates its format, or if anything else is wrong with it.
  ///
  /// - Parameter faults: The other errors, by the index of their file among ``members``.
  /// - Throws: ``MappingError/invalid(path:faults:)`` with every error.
  func refuse(_ faults: [[DraftFault]]) throws(MappingError) {
    let all = located(faults)
    guard !all.isEmpty else { return }
    throw .invalid(path: faultyPath, faults: all)
  }

  /// Violations of the format and other errors, by the index of their file among ``members``.
  func located(_ faults: [[DraftFault]]) -> [MappingFault] {
    members.enumerated().flatMap { index, member in
      let all = member.draftFaults + (faults.indices.contains(index) ? faults[index] : [])
      return member.placed(all).map { $0.inFile(parts.isEmpty ? nil : member.faultyPath) }
    }
  }

  /// The file in which errors are.
  var faultyPath: String { document == nil ? xcodePath ?? path : path }

  /// Errors with their lines and columns, without duplicates, in file order.
  func placed(_ faults: [DraftFault]) -> [MappingFault] {
    var known: Set<DraftFault> = []
    // Counting columns in long lines takes time, and nobody reads more errors.
    return faults.filter { known.insert($0).inserted }.prefix(Self.faultLimit).enumerated()
      .map { (offset: $0.offset, fault: placed($0.element)) }
      .sorted { first, second in
        let (one, other) = (first.fault, second.fault)
        return (one.line ?? 0, one.column ?? 0, first.offset)
          < (other.line ?? 0, other.column ?? 0, second.offset)
      }
      .map(\.fault)
  }

  /// A place with the file, as other messages refer to it.
  func description(of fault: DraftFault) -> String {
    let found = placed(fault)
    let place = [found.line, found.column].compactMap(\.self).map { ":\($0)" }.joined()
    return faultyPath + place + (fault.reason.isEmpty ? "" : ", \(fault.reason),")
  }

  /// The file's name without extension.
  var stem: String { URL(filePath: path).deletingPathExtension().lastPathComponent }

  private func placed(_ fault: DraftFault) -> MappingFault {
    var position: TextPosition?
    var line: Int?
    switch fault.place {
    case .byte(let offset): position = document?.position(of: offset)
    case .text(let offset, let scalar):
      position = document?.position(ofScalar: scalar, inStringAt: offset)
    case .line(let number): line = number
    case .none: break
    }
    return MappingFault(
      line: position?.line ?? line,
      column: position?.column,
      subject: fault.subject,
      reason: fault.reason
    )
  }

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
      guard let name, let hash = side == .source ? draft.sourceHash : draft.destinationHash else {
        continue
      }
      result[name] = hash
    }
    return result
  }

  /// Validates the file, and returns all errors and warnings.
  ///
  /// - Parameters:
  ///   - models: The models before and after.
  ///   - knowsPolicy: Whether a policy with a class name is available.
  ///   - knowsTransformer: Whether a transformer with a name is available.
  /// - Returns: The errors in file order, then the warnings about other properties.
  /// - Throws: ``MappingError/unreadable(path:reason:)`` if a file cannot be read.
  package func findings(
    between models: ModelPair,
    knowsPolicy: (String) -> Bool = { _ in false },
    knowsTransformer: (String) -> Bool = { _ in false }
  ) throws(MappingError) -> [MappingFinding] {
    do throws(MappingError) {
      let found = try transformedResolution(between: models)
      let faults = evaluationFaults(of: found, models)
      let lint = MappingLint(found.model, between: models).findings()
      let all =
        (located(faults) + missingTransformers(found.model, knowsTransformer))
        .map { MappingFinding($0) }
        + missingPolicies(knowsPolicy).map { MappingFinding($0, .warning) }
        + found.warnings.map { MappingFinding(.warning, "", $0) } + lint
      let errors = all.filter { $0.severity == .error }
      // A fault is told once; some warnings begin with their subject.
      let told = Set(errors.map(\.subject)).subtracting([""]).map { "\($0):" }
      return errors
        + all.filter { finding in
          finding.severity == .warning
            && !told.contains(where: finding.phrase.hasPrefix)
        }
    } catch {
      guard case .invalid(_, let faults) = error else { throw error }
      // A changed model may be the cause of all errors.
      return faults.map { MappingFinding($0) }
        + missingPolicies(knowsPolicy).map { MappingFinding($0, .warning) }
        + members.flatMap { $0.staleCopies(models) }
        .map { MappingFinding(.warning, "", $0) }
    }
  }

  /// The policies that are not available, without which no plan can be made.
  private func missingPolicies(_ isKnown: (String) -> Bool) -> [MappingFault] {
    guard parts.isEmpty else {
      return parts.flatMap { part in
        part.missingPolicies(isKnown).map { $0.inFile(part.faultyPath) }
      }
    }
    return placed(policyFaults(isKnown))
  }

  /// The transformers that are not available, without which no plan can be made.
  private func missingTransformers(
    _ model: MappingModel,
    _ isKnown: (String) -> Bool
  ) -> [MappingFault] {
    model.transformers.filter { !isKnown($0.name) }.map { needed in
      let place = place(of: needed.property, in: needed.mapping)
      return MappingFault(
        line: place?.line,
        column: place?.column,
        subject: "entity mapping \(needed.mapping), \(needed.property)",
        reason: "it needs the transformer \(needed.name), which this program does not have",
        path: parts.isEmpty ? nil : place?.path
      )
    }
  }

  private func policyFaults(_ isKnown: (String) -> Bool) -> [DraftFault] {
    drafts.compactMap { draft in
      guard let policy = draft.policy, !isKnown(policy.text) else { return nil }
      let reason = "it needs the policy \(policy.text), which this program does not have"
      return DraftFault(policy.place, draft.subject, reason)
    }
  }
}

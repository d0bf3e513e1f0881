internal import BulkCoding
internal import BulkModel
internal import BulkPlatform

/// Builds the content of a mapping file of Xcode, source or compiled.
struct XcodeMapping {
  private(set) var part: MappingPart
  private let report = MappingReport([], namingFiles: false)
  private var expressions = CanonicalExpressions()
  private var propertyCount = 0

  private init(_ path: String) {
    part = MappingPart(MappingOrigin(path))
    part.isXcode = true
    part.fillsProperties = false
  }

  /// The only relevant file in an `.xcmappingmodel`.
  private static let sourceName = "xcmapping.xml"

  /// Whether a path refers to an Xcode mapping, by its extension.
  static func isXcodePath(_ path: String) -> Bool {
    let url = URL(filePath: path)
    return ["xcmappingmodel", "cdm"].contains(url.pathExtension.lowercased())
      || url.lastPathComponent == sourceName
  }

  /// Reads an Xcode mapping; errors in its content are kept in it.
  static func read(_ path: String) throws(MappingError) -> MappingPart {
    let url = URL(filePath: path)
    var mapping = XcodeMapping(path)
    if url.pathExtension.lowercased() == "cdm" {
      CompiledMappingReader.read(try MappingBytes.read(url.path), into: &mapping)
    } else {
      let isFolder = url.pathExtension.lowercased() == "xcmappingmodel"
      let file = isFolder ? url.appending(path: sourceName) : url
      XcodeMappingReader.read(try MappingBytes.read(file.path), into: &mapping)
    }
    mapping.part.errors = mapping.report.errors
    return mapping.part
  }

  /// The place of an object, by its line; without one, of a file without lines.
  func place(_ line: Int?) -> MappingPlace {
    MappingPlace(part.origin, line.map { .line($0) } ?? .none)
  }

  func fault(_ line: Int?, _ subject: String, _ reason: String) {
    report.error(place(line), subject, reason)
  }

  mutating func setCopy(of side: MappingFile.Side, _ bytes: [UInt8]?) { part.copies[side] = bytes }

  /// An entity mapping of some names; `nil` with a warning for one that maps nothing, such as leftovers of type
  /// Undefined from Xcode's editor.
  mutating func draft(
    _ line: Int?,
    name: String?,
    source: String?,
    destination: String?,
    policy: String?
  ) -> EntityMappingDraft? {
    let place = place(line)
    let named = { (text: String?) in text.map { PlacedName(text: $0, place: place) } }
    var draft = EntityMappingDraft(place: place)
    draft.name = named(name)
    (draft.source, draft.destination) = (named(source), named(destination))
    draft.policy = named(policy)
    guard source == nil, destination == nil else { return draft }
    part.warnings.append(
      "\(draft.subject): it names neither a source nor a destination, so it is ignored"
    )
    return nil
  }

  /// Adds an entity mapping, and returns whether the mapping is within the limits.
  mutating func add(_ draft: EntityMappingDraft) -> Bool {
    part.drafts.append(draft)
    propertyCount += draft.attributes.count + draft.relationships.count
    guard
      part.drafts.count > MappingLimits.entityMappings
        || propertyCount > MappingLimits.propertyMappings
    else { return true }
    let reason =
      "it has more than \(MappingLimits.entityMappings) entity mappings or "
      + "\(MappingLimits.propertyMappings) property mappings"
    fault(nil, "", reason)
    return false
  }

  /// Takes over the expression by which an entity mapping reads its objects.
  func take(_ expression: ValueExpression, into draft: inout EntityMappingDraft, _ line: Int?) {
    guard let fetch = SourceFetch(expression, of: draft.source?.text) else {
      let reason = "it reads its objects by \(expression), which is not a plain fetch"
      return fault(line, draft.subject, reason)
    }
    guard draft.filter?.value == nil else { return }
    let text = draft.filter?.text ?? PlacedName(text: "", place: draft.place)
    draft.filter = Parsed(text: text, value: fetch.filter)
  }

  /// An archived expression in the form that its text parses to; `nil` after an error, which begins with a label.
  mutating func expression(
    _ line: Int?,
    _ subject: String,
    _ label: String = "",
    archived: () throws -> ValueExpression
  ) -> ValueExpression? {
    guard !expressions.isFull else { return nil }
    do {
      return try expressions.canonical(try archived())
    } catch let refusal as CanonicalExpressions.Refusal {
      fault(line, subject, refusal.reason)
    } catch {
      fault(line, subject, "\(label)\(error)")
    }
    return nil
  }

  /// The entries of a user info with plain, finite values; the others are ignored with a warning each.
  mutating func userInfo(_ object: ArchivedObject?, _ subject: String) -> [String: AttributeValue] {
    var values: [String: AttributeValue] = [:]
    var ignored: [String] = []
    for (key, value) in object?.entries ?? [] {
      if let value = value?.attributeValue, value.json != nil {
        values[key] = value
      } else {
        ignored.append(key)
      }
    }
    part.warnings += ignored.sortedByCodeUnit().map {
      "\(subject): the entry \($0) of its user info is ignored"
    }
    return values
  }
}

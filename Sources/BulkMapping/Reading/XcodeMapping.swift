internal import BulkSupport
internal import BulkModel

/// Builds the content of a mapping file of Xcode, source or compiled.
struct XcodeMapping {
  private(set) var part: MappingPart
  private let report = MappingReport([], namingFiles: false)
  /// The bytes of all expression texts; archives may share objects, so a short file may describe an enormous expression.
  private var textSize = 0
  private var propertyCount = 0

  private init(_ path: String) {
    part = MappingPart(MappingOrigin(path))
    part.isXcode = true
    part.fillsProperties = false
  }

  /// The limit of all expression texts of a mapping, in bytes.
  private static let textLimit = 16 * 1024 * 1024

  /// Whether a path refers to an Xcode mapping, by its extension.
  static func isXcodePath(_ path: String) -> Bool {
    let url = URL(filePath: path)
    return ["xcmappingmodel", "cdm"].contains(url.pathExtension.lowercased())
      || url.lastPathComponent == MappingFile.xcodeSourceName
  }

  /// Reads an Xcode mapping; errors in its content are kept in it.
  static func read(_ path: String) throws(MappingError) -> MappingPart {
    let url = URL(filePath: path)
    var mapping = XcodeMapping(path)
    if url.pathExtension.lowercased() == "cdm" {
      CompiledMappingReader.read(try MappingBytes.read(url.path), into: &mapping)
    } else {
      let isFolder = url.pathExtension.lowercased() == "xcmappingmodel"
      let file = isFolder ? url.appending(path: MappingFile.xcodeSourceName) : url
      XcodeMappingReader.read(try MappingBytes.read(file.path), into: &mapping)
    }
    mapping.part.errors = mapping.report.errors
    return mapping.part
  }

  /// The place of an object, by its line; without one, of a file without lines.
  func location(_ line: Int?) -> MappingLocation {
    MappingLocation(part.origin, line.map { .line($0) } ?? .none)
  }

  func fault(_ line: Int?, _ subject: String, _ reason: String) {
    report.error(location(line), subject, reason)
  }

  /// Takes over the copy of a model, and the path that the model had.
  mutating func setCopy(of side: MappingFile.Side, _ bytes: [UInt8]?, path: String?) {
    part.copies[side] = bytes
    part.modelPaths[side] = path
  }

  /// An entity mapping of some names; `nil` with a warning for one that maps nothing, such as leftovers of type
  /// Undefined from Xcode's editor.
  mutating func draft(
    _ line: Int?,
    name: String?,
    source: String?,
    destination: String?,
    policy: String?
  ) -> EntityMappingDraft? {
    let location = location(line)
    let named = { (text: String?) in text.map { LocatedName(text: $0, location: location) } }
    var draft = EntityMappingDraft(location: location)
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
    guard let filter = expression.filter(ofFetching: draft.source?.text) else {
      let reason = "it reads its objects by \(expression), which is not a plain fetch"
      return fault(line, draft.subject, reason)
    }
    guard draft.filter?.value == nil else { return }
    let text = draft.filter?.text ?? LocatedName(text: "", location: draft.location)
    draft.filter = Parsed(text: text, value: filter.asFilter)
  }

  /// An archived expression in the form that its text parses to, in which each expression has only one
  /// representation; `nil` after an error, which begins with a label.
  mutating func expression(
    _ line: Int?,
    _ subject: String,
    _ label: String = "",
    archived: () throws -> ValueExpression
  ) -> ValueExpression? {
    guard textSize <= Self.textLimit else { return nil }
    do {
      let text = try archived().description
      textSize += text.utf8.count
      if textSize > Self.textLimit {
        let reason = "the expressions of the mapping have more than \(Self.textLimit) bytes"
        fault(line, subject, reason)
      } else if let canonical = try? ValueExpression(format: text) {
        return canonical
      } else {
        fault(line, subject, "its expression cannot be said in text: \(text)")
      }
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

extension ValuePredicate {
  /// `nil` if every object satisfies the predicate.
  var asFilter: ValuePredicate? { self == .constant(true) ? nil : self }
}

extension ValueExpression {
  /// The fetch of the objects of an entity by which Xcode lets an entity mapping read them (formats/mapping-models.md
  /// 3.4).
  static func fetch(of entity: String, where filter: ValuePredicate?) -> ValueExpression {
    let arguments = [entity, (filter ?? .constant(true)).description]
    return .fetch(
      request: .function(
        target: .variable("manager"),
        selector: ManagerSelector.fetchRequest.rawValue,
        arguments: arguments.map { .constant(.string($0)) }
      ),
      context: .keyPath(ManagerSelector.sourceContext.rawValue, of: .variable("manager")),
      countOnly: false
    )
  }

  /// The predicate of such a fetch; `nil` for any other expression.
  fileprivate func filter(ofFetching entity: String?) -> ValuePredicate? {
    guard
      case .fetch(let request, _, countOnly: false) = self,
      case .function(
        target: .variable("manager"),
        ManagerSelector.fetchRequest.rawValue,
        let arguments
      ) = request,
      arguments.count == 2,
      case .constant(.string(let name)) = arguments[0], name == entity,
      case .constant(.string(let text)) = arguments[1]
    else { return nil }
    return try? ValuePredicate(format: text)
  }
}

/// The formats of models, in the order of a setting's keys.
enum ModelFormat: Int, Sendable {
  /// The XML of a source.
  case source
  /// An archive of `NSManagedObjectModel`.
  case archive
  /// An archive of `XDPMModel`, with the editor's names.
  case editor
}

/// A setting of entities or properties, for the readers, the writer and the comparison of models.
struct ModelSetting<Element>: Sendable {
  typealias Path<Value> = any WritableKeyPath<Element, Value> & Sendable
  typealias Flag = any KeyPath<Element, Bool> & Sendable

  enum Value: Sendable {
    /// A read-only path is that of a constant, which is written and not read.
    case flag(Flag)
    case text(Path<String?>)
    case count(Path<Int64>)
    case lists(Path<[[String]]>)
    case userInfo(Path<[String: String]>)
  }

  let value: Value
  private let keys: [String?]
  /// The bit of a flag in `_P`.
  let bit: CompiledPropertyFlags
  /// Its name in differences; `nil` if it does not enter the version hash.
  private(set) var hashed: String?

  /// A setting with its keys in a source, an archive and the editor; `-` in a format that writes it in its own way
  /// or not at all.
  init(_ value: Value, _ keys: String, _ bit: CompiledPropertyFlags = []) {
    self.value = value
    self.keys = keys.split(separator: " ").map { $0 == "-" ? nil : String($0) }
    self.bit = bit
  }

  func key(in format: ModelFormat) -> String? { keys[format.rawValue] }

  /// The same setting as one that changes the version hash.
  func hashed(_ name: String) -> Self {
    var result = self
    result.hashed = name
    return result
  }

  func text(of element: Element) -> String? {
    switch value {
    case .flag(let path): return "\(element[keyPath: path])"
    case .text(let path): return element[keyPath: path]
    case .count(let path): return "\(element[keyPath: path])"
    case .lists(let path):
      let lists = element[keyPath: path].map { "(" + $0.joined(separator: ", ") + ")" }
      return lists.isEmpty ? nil : lists.sortedByCodeUnit().joined(separator: " ")
    case .userInfo: return nil
    }
  }
}

extension EntityDescription {
  static let settings: [ModelSetting<Self>] = [
    .init(
      .text(\.managedObjectClassName),
      "representedClassName NSClassNameForEntity XD_PSK_entityClassName"
    ),
    .init(.flag(\.isAbstract), "isAbstract NSIsAbstract XD_PSK_isAbstract").hashed("isAbstract"),
    .init(.text(\.superentityName), "parentEntity - -").hashed("superentity"),
    .init(.text(\.renamingIdentifier), "elementID NSRenamingIdentifier XD_PSK_elementID"),
    .init(
      .text(\.versionHashModifier),
      "versionHashModifier NSVersionHashModifier XD_PSK_versionHashModifier"
    )
    .hashed("versionHashModifier"),
    .init(.userInfo(\.userInfo), "userInfo NSUserInfo XD_PSK_userInfo"),
    .init(.lists(\.compoundIndexes), "compoundIndexes NSCompoundIndexes XDPMCompoundIndexes"),
    .init(
      .lists(\.uniquenessConstraints),
      "uniquenessConstraints NSUniqueTuples XDPMUniquenessConstraints"
    )
    .hashed("uniqueness constraints"),
  ]
}

extension ModelSetting where Element: PropertyDescription {
  /// The settings of every property, around those of its kind.
  fileprivate static func property(
    _ transient: Flag,
    _ readOnly: Flag,
    _ indexed: Flag,
    first: [Self] = [],
    last: [Self] = []
  ) -> [Self] {
    let flags: [Self] = [
      Self(.flag(\.isOptional), "optional NSIsOptional XD_PPSK_isOptional", .optional)
        .hashed("isOptional"),
      Self(.flag(transient), "transient NSIsTransient XD_PPSK_isTransient", .transient)
        .hashed("isTransient"),
      Self(.flag(readOnly), "readOnly NSIsReadOnly -", .readOnly).hashed("isReadOnly"),
      Self(.flag(indexed), "indexed NSIsIndexed XD_PPSK_isIndexed"),
    ]
    let texts: [Self] = [
      Self(.text(\.renamingIdentifier), "elementID NSRenamingIdentifier XD_PPSK_elementID"),
      Self(
        .text(\.versionHashModifier),
        "versionHashModifier NSVersionHashModifier XD_PPSK_versionHashModifier"
      )
      .hashed("versionHashModifier"),
      Self(.userInfo(\.userInfo), "userInfo NSUserInfo XD_PPSK_userInfo"),
    ]
    return first + flags + last + texts
  }
}

extension AttributeDescription {
  static let settings = ModelSetting<Self>
    .property(
      \.isTransient,
      \.isReadOnly,
      \.isIndexed,
      last: [
        .init(
          .flag(\.isIndexedBySpotlight),
          "spotlightIndexingEnabled NSIndexedBySpotlight XD_PPSK_isSpotlightIndexed",
          .indexedBySpotlight
        ),
        // The archive has the next two as bits of `NSFlagsKey`.
        .init(
          .flag(\.allowsExternalBinaryDataStorage),
          "allowsExternalBinaryDataStorage - XD_PAttK_allowsExternalBinaryDataStorage"
        )
        .hashed("allowsExternalBinaryDataStorage"),
        .init(.flag(\.preservesValueInHistoryOnDeletion), "preserveAfterDeletion - -")
          .hashed("preservesValueInHistoryOnDeletion"),
        .init(
          .text(\.valueTransformerName),
          "valueTransformerName NSValueTransformerName XD_PAttK_valueTransformerName"
        ),
        .init(.text(\.attributeValueClassName), "customClassName NSAttributeValueClassName -"),
      ]
    )
}

extension RelationshipDescription {
  static let settings = ModelSetting<Self>
    .property(
      \.isTransient,
      \.isReadOnly,
      \.isIndexed,
      first: [
        .init(.text(\.inverseName), "inverseName _NSInverseRelationshipName -").hashed("inverse"),
        // The archive has only the greatest count.
        .init(.flag(\.isToMany), "toMany - XD_PRK_isToMany").hashed("isToMany"),
        .init(.flag(\.isOrdered), "ordered NSIsOrdered XD_PRK_ordered", .ordered)
          .hashed("isOrdered"),
      ],
      last: [
        .init(.count(\.minCount), "minCount NSMinCount XD_PRK_minCount").hashed("minCount"),
        .init(.count(\.maxCount), "maxCount NSMaxCount XD_PRK_maxCount").hashed("maxCount"),
      ]
    )
}

extension FetchedPropertyDescription {
  static let settings = ModelSetting<Self>.property(\.isTransient, \.isReadOnly, \.isIndexed)
}

/// The bits of `_P`, which repeat and extend the flags of a property.
///
/// Observed on all 13 551 properties of 54 caches: the bits of absent settings are set too.
struct CompiledPropertyFlags: OptionSet {
  let rawValue: Int64
  static let always = CompiledPropertyFlags(rawValue: 1)
  static let optional = CompiledPropertyFlags(rawValue: 2)
  static let readOnly = CompiledPropertyFlags(rawValue: 4)
  static let transient = CompiledPropertyFlags(rawValue: 8)
  static let noValidationPredicates = CompiledPropertyFlags(rawValue: 16)
  static let noValidationWarnings = CompiledPropertyFlags(rawValue: 32)
  static let noUserInfo = CompiledPropertyFlags(rawValue: 64)
  static let noVersionHashModifier = CompiledPropertyFlags(rawValue: 128)
  static let indexedBySpotlight = CompiledPropertyFlags(rawValue: 256)
  static let ordered = CompiledPropertyFlags(rawValue: 1024)

  static let plain: CompiledPropertyFlags = [
    .always, .noValidationPredicates, .noValidationWarnings, .noUserInfo, .noVersionHashModifier,
  ]
}

/// The keys of a setting in the three formats of models; `nil` in a format that writes it in its own way or not
/// at all.
struct SettingKey: Sendable {
  /// The XML attribute or element of a source.
  let source: String?
  /// The key in an archive of `NSManagedObjectModel`.
  let archive: String?
  /// The editor's name in an archive of `XDPMModel`.
  let editor: String?

  init(_ source: String?, _ archive: String?, _ editor: String? = nil) {
    self.source = source
    self.archive = archive
    self.editor = editor
  }
}

/// A setting of entities or properties, for the readers, the writer and the comparison of models.
struct ModelSetting<Element>: Sendable {
  enum Value: Sendable {
    /// A read-only path is that of a constant, which is written and not read.
    case flag(any KeyPath<Element, Bool> & Sendable)
    case text(any WritableKeyPath<Element, String?> & Sendable)
    case count(any WritableKeyPath<Element, Int64> & Sendable)
    case lists(any WritableKeyPath<Element, [[String]]> & Sendable)
    case userInfo(any WritableKeyPath<Element, [String: String]> & Sendable)
  }

  let value: Value
  let key: SettingKey
  /// The bit of a flag in `_P`.
  var bit: CompiledPropertyFlags = []
  /// Its name in differences; `nil` if it does not enter the version hash.
  var hashed: String?

  /// The value for people; `nil` for none.
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
      value: .text(\.managedObjectClassName),
      key: .init("representedClassName", "NSClassNameForEntity", "XD_PSK_entityClassName")
    ),
    .init(
      value: .flag(\.isAbstract),
      key: .init("isAbstract", "NSIsAbstract", "XD_PSK_isAbstract"),
      hashed: "isAbstract"
    ),
    .init(value: .text(\.superentityName), key: .init("parentEntity", nil), hashed: "superentity"),
    .init(
      value: .text(\.renamingIdentifier),
      key: .init("elementID", "NSRenamingIdentifier", "XD_PSK_elementID")
    ),
    .init(
      value: .text(\.versionHashModifier),
      key: .init("versionHashModifier", "NSVersionHashModifier", "XD_PSK_versionHashModifier"),
      hashed: "versionHashModifier"
    ),
    .init(value: .userInfo(\.userInfo), key: .init("userInfo", "NSUserInfo", "XD_PSK_userInfo")),
    .init(
      value: .lists(\.compoundIndexes),
      key: .init("compoundIndexes", "NSCompoundIndexes", "XDPMCompoundIndexes")
    ),
    .init(
      value: .lists(\.uniquenessConstraints),
      key: .init("uniquenessConstraints", "NSUniqueTuples", "XDPMUniquenessConstraints"),
      hashed: "uniqueness constraints"
    ),
  ]
}

extension ModelSetting where Element: PropertyDescription {
  private static func flag(
    _ path: any KeyPath<Element, Bool> & Sendable,
    _ key: SettingKey,
    _ bit: CompiledPropertyFlags = [],
    hashed: String? = nil
  ) -> Self {
    Self(value: .flag(path), key: key, bit: bit, hashed: hashed)
  }

  /// The settings of every property, around those of its kind.
  static func of(
    isTransient: any KeyPath<Element, Bool> & Sendable,
    isReadOnly: any KeyPath<Element, Bool> & Sendable,
    isIndexed: any KeyPath<Element, Bool> & Sendable,
    first: [Self] = [],
    last: [Self] = []
  ) -> [Self] {
    let flags: [Self] = [
      flag(
        \.isOptional,
        .init("optional", "NSIsOptional", "XD_PPSK_isOptional"),
        .optional,
        hashed: "isOptional"
      ),
      flag(
        isTransient,
        .init("transient", "NSIsTransient", "XD_PPSK_isTransient"),
        .transient,
        hashed: "isTransient"
      ),
      flag(isReadOnly, .init("readOnly", "NSIsReadOnly"), .readOnly, hashed: "isReadOnly"),
      flag(isIndexed, .init("indexed", "NSIsIndexed", "XD_PPSK_isIndexed")),
    ]
    let texts: [Self] = [
      Self(
        value: .text(\.renamingIdentifier),
        key: .init("elementID", "NSRenamingIdentifier", "XD_PPSK_elementID")
      ),
      Self(
        value: .text(\.versionHashModifier),
        key: .init("versionHashModifier", "NSVersionHashModifier", "XD_PPSK_versionHashModifier"),
        hashed: "versionHashModifier"
      ),
      Self(value: .userInfo(\.userInfo), key: .init("userInfo", "NSUserInfo", "XD_PPSK_userInfo")),
    ]
    return first + flags + last + texts
  }
}

extension AttributeDescription {
  static let settings = ModelSetting<Self>
    .of(
      isTransient: \.isTransient,
      isReadOnly: \.isReadOnly,
      isIndexed: \.isIndexed,
      last: [
        .init(
          value: .flag(\.isIndexedBySpotlight),
          key: .init(
            "spotlightIndexingEnabled",
            "NSIndexedBySpotlight",
            "XD_PPSK_isSpotlightIndexed"
          ),
          bit: .indexedBySpotlight
        ),
        // The archive has the next two as bits of `NSFlagsKey`.
        .init(
          value: .flag(\.allowsExternalBinaryDataStorage),
          key: .init(
            "allowsExternalBinaryDataStorage",
            nil,
            "XD_PAttK_allowsExternalBinaryDataStorage"
          ),
          hashed: "allowsExternalBinaryDataStorage"
        ),
        .init(
          value: .flag(\.preservesValueInHistoryOnDeletion),
          key: .init("preserveAfterDeletion", nil),
          hashed: "preservesValueInHistoryOnDeletion"
        ),
        .init(
          value: .text(\.valueTransformerName),
          key: .init(
            "valueTransformerName",
            "NSValueTransformerName",
            "XD_PAttK_valueTransformerName"
          )
        ),
        .init(
          value: .text(\.attributeValueClassName),
          key: .init("customClassName", "NSAttributeValueClassName")
        ),
      ]
    )
}

extension RelationshipDescription {
  static let settings = ModelSetting<Self>
    .of(
      isTransient: \.isTransient,
      isReadOnly: \.isReadOnly,
      isIndexed: \.isIndexed,
      first: [
        .init(
          value: .text(\.inverseName),
          key: .init("inverseName", "_NSInverseRelationshipName"),
          hashed: "inverse"
        ),
        // The archive has only the greatest count.
        .init(
          value: .flag(\.isToMany),
          key: .init("toMany", nil, "XD_PRK_isToMany"),
          hashed: "isToMany"
        ),
        .init(
          value: .flag(\.isOrdered),
          key: .init("ordered", "NSIsOrdered", "XD_PRK_ordered"),
          bit: .ordered,
          hashed: "isOrdered"
        ),
      ],
      last: [
        .init(
          value: .count(\.minCount),
          key: .init("minCount", "NSMinCount", "XD_PRK_minCount"),
          hashed: "minCount"
        ),
        .init(
          value: .count(\.maxCount),
          key: .init("maxCount", "NSMaxCount", "XD_PRK_maxCount"),
          hashed: "maxCount"
        ),
      ]
    )
}

extension FetchedPropertyDescription {
  static let settings = ModelSetting<Self>
    .of(isTransient: \.isTransient, isReadOnly: \.isReadOnly, isIndexed: \.isIndexed)
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

/// Builds an archive as NSKeyedArchiver does.
///
/// Every object gets a number when it is first mentioned, so that references may form cycles: ``reserve()``
/// returns the number, ``set(_:class:_:)`` supplies the content. Equal plain values are written once. Equal
/// calls in equal order give equal bytes.
package struct KeyedArchiveWriter {
  /// A class with its superclasses, nearest first.
  package struct ClassChain: Hashable, Sendable {
    let names: [String]

    package init(_ names: String...) { self.init(names) }

    package init(_ names: [String]) { self.names = names + ["NSObject"] }
  }

  package static let null = PropertyList.uid(0)

  private var objects: [PropertyList] = [.string("$null")]
  private var classes: [ClassChain: PropertyList] = [:]
  private var plain: [PropertyList: PropertyList] = [:]
  /// The class of the arguments of functions, in which archives of expressions differ.
  package var argumentsClass = ClassChain("NSArray")

  package init() {}

  /// A reference to an object whose content is supplied later.
  package mutating func reserve() -> PropertyList {
    objects.append(.null)
    return .uid(objects.count - 1)
  }

  package mutating func set(
    _ reference: PropertyList,
    class chain: ClassChain,
    _ entries: [String: PropertyList]
  ) {
    guard case .uid(let index) = reference else { preconditionFailure("not a reference") }
    var entries = entries
    entries["$class"] = classReference(chain)
    objects[index] = .dictionary(entries)
  }

  package mutating func add(
    class chain: ClassChain,
    _ entries: [String: PropertyList]
  ) -> PropertyList {
    let reference = reserve()
    set(reference, class: chain, entries)
    return reference
  }

  package mutating func add(_ value: PropertyList) -> PropertyList {
    if let reference = plain[value] { return reference }
    objects.append(value)
    let reference = PropertyList.uid(objects.count - 1)
    plain[value] = reference
    return reference
  }

  private mutating func classReference(_ chain: ClassChain) -> PropertyList {
    if let reference = classes[chain] { return reference }
    objects.append(
      .dictionary([
        "$classname": .string(chain.names[0]),
        "$classes": .array(chain.names.map { .string($0) }),
      ])
    )
    let reference = PropertyList.uid(objects.count - 1)
    classes[chain] = reference
    return reference
  }

  package func finish(root: PropertyList) -> PropertyList {
    .dictionary([
      "$archiver": .string(KeyedArchive.archiverName),
      "$version": .integer(100_000),
      "$objects": .array(objects),
      "$top": .dictionary([KeyedArchive.rootKey: root]),
    ])
  }

  package mutating func add(_ text: String?) -> PropertyList {
    text.map { add(PropertyList.string($0)) } ?? Self.null
  }

  package mutating func add(
    _ elements: [PropertyList],
    class chain: ClassChain = ClassChain("NSArray")
  ) -> PropertyList {
    add(class: chain, ["NS.objects": .array(elements)])
  }

  package mutating func add(
    entries: [(key: String, value: PropertyList)],
    class chain: ClassChain = ClassChain("NSDictionary")
  ) -> PropertyList {
    let reference = reserve()
    let keys = entries.map { add(PropertyList.string($0.key)) }
    set(
      reference,
      class: chain,
      ["NS.keys": .array(keys), "NS.objects": .array(entries.map(\.value))]
    )
    return reference
  }

  /// Adds a date, in seconds since 2001-01-01 00:00:00 UTC.
  package mutating func add(date seconds: Double) -> PropertyList {
    add(class: ClassChain("NSDate"), ["NS.time": .real(seconds)])
  }

  package mutating func add(_ uuid: UUID) -> PropertyList {
    // The bytes are copied while they are valid.
    let bytes = unsafe withUnsafeBytes(of: uuid.uuid) { unsafe Array($0) }
    return add(class: ClassChain("NSUUID"), ["NS.uuidbytes": .data(bytes)])
  }

  package mutating func add(url: String) -> PropertyList {
    let relative = add(PropertyList.string(url))
    return add(class: ClassChain("NSURL"), ["NS.base": Self.null, "NS.relative": relative])
  }
}

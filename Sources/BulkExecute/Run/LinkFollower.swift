internal import BulkPlan
internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// Follows the links of one side from far source objects to the objects that the side's makers made from
/// them.
struct LinkFollower {
  static let unknown = Int64.min

  /// The data that a link needs on a mapping that may have made its far object.
  private struct Maker {
    let index: Int
    /// The index of the first mapping that shares its objects.
    let firstSharing: Int
    /// Whether an association table has the keys of its objects; those of others follow from the source objects' keys.
    let isRecorded: Bool
    let sourceNumber: Int64
    let keyOffset: Int64
  }

  private let side: LinkedRelationship.Assignment
  private let end: Link.End
  private let makers: [Maker]

  init(_ side: LinkedRelationship.Assignment) {
    self.side = side
    end = Link.End(side.end)
    makers = side.makers.map { maker in
      Maker(
        index: maker.index,
        firstSharing: maker.firstSharing,
        isRecorded: maker.isRecorded,
        sourceNumber: maker.sourceNumber,
        keyOffset: maker.keyOffset
      )
    }
  }

  /// The work of finding a key, for ``StoreSession/endIfStopped(after:)``.
  private static let lookupSteps = 64

  /// Whether objects at the far end are found in association tables.
  var needsAssociations: Bool { makers.contains(where: \.isRecorded) }

  /// Whether the entities of far source objects determine which objects were made from them.
  var readsEntities: Bool { makers.contains { !$0.isRecorded } }

  /// Links come in the order of the far source objects' keys.
  func follow(
    _ links: SortedLinks,
    _ run: Run,
    _ body: (Link) throws -> Void
  ) throws {
    let (associations, schema) = (run.associations, run.work.destination)
    let target = schema.model.relationship(side.key)?.destinationEntityName ?? ""
    let kinds = schema.numbers(ofKindsOf: target)
    var page = LinkPage()
    while try page.fill(links.next) {
      let keys = page.keys(end.other)
      try run.session.endIfStopped(after: Self.lookupSteps * keys.count)
      let found = try makers.map {
        $0.isRecorded ? try associations.matches(of: keys, in: $0.index) : []
      }
      for (maker, matches) in zip(side.makers, found) where maker.hasPolicy {
        let entities = try associations.entities(of: matches, from: keys, by: maker) ?? []
        for (match, entity) in zip(matches, entities) where !kinds.contains(entity) {
          let (link, mapping) = (page.links[match.position], side.mapping)
          let file = try? run.migration.plan.steps[0].mapping.file()
          let location = file?.location(of: side.key.property, in: mapping.mapping.name)
          throw MigrationError.policy(
            (location.map { "\($0.path):\($0.line): " } ?? "")
              + "entity mapping \(mapping.mapping.name), relationship \(side.key.property), "
              + "\(mapping.source.name) \(link[end].source): \(schema.entityName(ofNumber: entity)) "
              + "\(match.destinationKey), which \(maker.mapping.name) made of \(maker.source.name) "
              + "\(link[end.other].source), is not an object of \(target)"
          )
        }
      }
      var next = [Int](repeating: 0, count: makers.count)
      for (index, link) in page.links.enumerated() {
        var made: Int64 = 0
        for (number, maker) in makers.enumerated() {
          guard maker.isRecorded else {
            try followKey(of: link, maker, body)
            continue
          }
          while next[number] < found[number].count, found[number][next[number]].position == index {
            var link = link
            link.number = made
            made += 1
            try pass(link, to: found[number][next[number]].destinationKey, by: maker, body)
            next[number] += 1
          }
        }
      }
    }
  }

  func follow(_ link: Link, _ body: (Link) throws -> Void) throws {
    for maker in makers { try followKey(of: link, maker, body) }
  }

  private func followKey(
    of link: Link,
    _ maker: Maker,
    _ body: (Link) throws -> Void
  ) throws {
    let far = link[end.other]
    guard !maker.isRecorded, far.maker == maker.sourceNumber else { return }
    try pass(link, to: far.source &+ maker.keyOffset, by: maker, body)
  }

  private func pass(
    _ link: Link,
    to object: Int64,
    by maker: Maker,
    _ body: (Link) throws -> Void
  ) throws {
    var link = link
    link[end.other].maker = Int64(maker.firstSharing)
    link[end.other].object = object
    try body(link)
  }
}

/// Links that are looked up together.
struct LinkPage {
  private static let capacity = 1024

  private(set) var links: ContiguousArray<Link> = []

  /// Returns whether there are any.
  mutating func fill(_ next: () throws -> Link?) rethrows -> Bool {
    links.removeAll(keepingCapacity: true)
    while links.count < Self.capacity, let link = try next() { links.append(link) }
    return !links.isEmpty
  }

  func keys(_ end: Link.End) -> [Int64] { links.map { $0[end].source } }
}

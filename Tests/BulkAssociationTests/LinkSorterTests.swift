import BulkTestSupport
import Testing

/// Links are sorted alike, however many of them fit into memory.
struct LinkSorterTests {
  private static func link(_ first: Int64, _ second: Int64, rank: Int64 = 0) -> Link {
    Link(
      assigning: .first,
      of: LinkEnd(maker: 0, source: first, object: first),
      to: LinkEnd(maker: 1, source: second, object: second),
      rank: rank
    )
  }

  private static func links(_ count: Int) -> [Link] {
    var generator = SeededGenerator(seed: 7)
    return (0..<count).map { _ in
      link(Int64(generator.next() % 500), Int64(generator.next() % 100_000))
    }
  }

  private static func sorted(_ links: [Link], _ order: LinkOrder) throws -> [Link] {
    let folder = TemporaryDirectory()
    let scratch = SortScratch(in: folder.path, prefix: "links", memory: 1 << 20)
    let sorter = ExternalSorter<Link>(order, in: scratch)
    for link in links { try sorter.add(link) }
    let sorted = try sorter.sorted()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.isEmpty, "runs lie in files without a name")
    var result: [Link] = []
    while let link = try sorted() { result.append(link) }
    return result
  }

  /// 10,485 links fit into 1 MiB, so that there are none, several and more than 64 runs.
  @Test(arguments: [0, 1, 10_485, 10_486, 60_000, 800_000])
  func `every number of links comes back in order`(count: Int) throws {
    let links = Self.links(count)
    let sorted = try Self.sorted(links, .object(.second))
    func keys(_ links: [Link]) -> [Int64] { links.map { $0.second.object << 32 | $0.first.object } }
    #expect(keys(sorted) == keys(links).sorted())
    #expect(sorted.allSatisfy { $0 == Self.link($0.first.object, $0.second.object) })
  }

  @Test func `a collection has what was assigned first, then what came in`() throws {
    let own = [Self.link(1, 9, rank: 1), Self.link(1, 4, rank: 2)]
    let came = [(7, 2048), (3, 1024)].map { second, inverseRank in
      Link(
        assigning: .second,
        of: LinkEnd(maker: 1, source: Int64(second), object: Int64(second)),
        to: LinkEnd(maker: 0, source: 1, object: 1),
        inverseRank: Int64(inverseRank)
      )
    }
    let sorted = try Self.sorted(came + own.reversed(), .collection(of: .first))
    #expect(sorted.map(\.second.object) == [9, 4, 3, 7])
  }

  @Test func `assignments are made object by object, in the order of the mappings`() throws {
    let links = [
      Link(
        assigning: .second,
        of: LinkEnd(maker: 1, source: 1, object: 1),
        to: LinkEnd(maker: 0, source: 5, object: 5)
      ),
      Self.link(5, 1), Self.link(2, 1),
    ]
    let sorted = try Self.sorted(links, .object(.second))
    #expect(sorted == [links[2], links[1], links[0]])
  }

  private static func united(_ source: Int64, _ second: Int64, keepsLast: Bool = false) -> Link {
    Link(
      assigning: .first,
      of: LinkEnd(maker: 0, source: source, object: 1),
      to: LinkEnd(maker: 1, source: second, object: second),
      rank: 10 - second,
      union: Link.Union(turn: 0, keepsLast: keepsLast)
    )
  }

  @Test func `united assignments are one, source object by source object`() throws {
    let links = [Self.united(3, 1), Self.united(2, 2), Self.united(2, 4)]
    #expect(Set(links.map(\.moment)).count == 1)
    for order in [LinkOrder.object(.first), .moment, .collection(of: .first)] {
      #expect(try Self.sorted(links, order).map(\.second.object) == [4, 2, 1])
    }
  }

  @Test func `the last of united assignments may come first`() throws {
    let links = [Self.united(2, 1, keepsLast: true), Self.united(3, 2, keepsLast: true)]
    #expect(try Self.sorted(links, .object(.first)).map(\.second.object) == [2, 1])
  }

  @Test func `objects made of one stand in the order in which they were made`() throws {
    var links = [Self.link(1, 5), Self.link(1, 5), Self.link(1, 5)]
    for (inverseRank, object) in [9, 2, 4].enumerated() {
      links[inverseRank].second.object = Int64(object)
      links[inverseRank].number = Int64(inverseRank)
    }
    let sorted = try Self.sorted(links.reversed(), .collection(of: .first))
    #expect(sorted.map(\.second.object) == [9, 2, 4])
  }
}

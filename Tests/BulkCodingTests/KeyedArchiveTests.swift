import BulkTestSupport
import Testing

struct KeyedArchiveTests {
  private static func archive(
    _ objects: [PropertyList],
    root: PropertyList = .uid(1)
  ) -> PropertyList {
    .dictionary([
      "$archiver": .string("NSKeyedArchiver"),
      "$version": .integer(100_000),
      "$objects": .array([.string("$null")] + objects),
      "$top": .dictionary(["root": root]),
    ])
  }

  private static func `class`(_ names: String...) -> PropertyList {
    .dictionary([
      "$classname": .string(names[0]), "$classes": .array(names.map { .string($0) }),
    ])
  }

  private static func object(_ entries: [String: PropertyList]) throws -> ArchivedObject {
    let names = ["NSThing", "NSString", "NSObject"]
    let description = PropertyList.dictionary([
      "$classname": .string("NSThing"), "$classes": .array(names.map { .string($0) }),
    ])
    let keys = entries.merging(["$class": .uid(2)]) { first, _ in first }
    let archive = try KeyedArchive(archive([.dictionary(keys), description]))
    return try #require(archive.root)
  }

  @Test func `objects are reached by reference, in circles too`() throws {
    var writer = KeyedArchiveWriter()
    let chain = KeyedArchiveWriter.ClassChain("Node", "Base")
    let (first, second) = (writer.reserve(), writer.reserve())
    let name = writer.add(PropertyList.string("one"))
    writer.set(
      first,
      class: chain,
      ["next": second, "name": name, "none": KeyedArchiveWriter.null]
    )
    writer.set(second, class: chain, ["next": first])
    let archive = try KeyedArchive(BinaryPropertyListWriter.write(writer.finish(root: first)))
    let root = try #require(archive.root)
    #expect(root.classNames == ["Node", "Base", "NSObject"])
    #expect(root["name"]?.string == "one")
    #expect(root["none"] == nil && root.has("none"))
    #expect(root["missing"] == nil && !root.has("missing"))
    #expect(root["next"]?["next"]?.index == root.index)
    #expect(root.keys == ["name", "next", "none"])
  }

  @Test func `what the writer adds is read back`() throws {
    let uuid = try #require(UUID(uuidString: "6D4E5B0A-0000-4000-8000-00000000000F"))
    var writer = KeyedArchiveWriter()
    let one = writer.add(.integer(1))
    let elements = [one, KeyedArchiveWriter.null, writer.add(PropertyList.string("x"))]
    let entries: [(key: String, value: PropertyList)] = [
      ("list", writer.add(elements)),
      ("date", writer.add(date: 12.5)),
      ("uuid", writer.add(uuid)),
      ("url", writer.add(url: "https://example.com/a?b")),
      ("decimal", writer.add(Decimal(string: "-12.50") ?? 0)),
    ]
    let root = writer.add(entries: entries)
    let archive = try KeyedArchive(writer.finish(root: root))
    let read = try #require(archive.root?.entries)
    #expect(read.map(\.key) == ["list", "date", "uuid", "url", "decimal"])
    #expect(read[0].value?.elements?.map { $0?.integer } == [1, nil, nil])
    #expect(read[0].value?.elements?.last??.string == "x")
    #expect(read[1].value?.date == 12.5)
    #expect(read[2].value?.uuid == uuid)
    #expect(read[3].value?.url == "https://example.com/a?b")
    #expect(read[4].value?.decimal == Decimal(string: "-12.5"))
  }

  @Test func `equal texts and numbers are one object, a flag and an integer are not`() {
    var writer = KeyedArchiveWriter()
    #expect(writer.add(PropertyList.string("a")) == writer.add(PropertyList.string("a")))
    #expect(writer.add(PropertyList.boolean(true)) != writer.add(PropertyList.integer(1)))
  }

  @Test func `a dictionary with a shared key table is read`() throws {
    let archive = try KeyedArchive(
      Self.archive([
        .dictionary(["searchMapping": .uid(2), "values": .uid(3), "$class": .uid(4)]),
        .dictionary(["keys": .uid(5), "$class": .uid(6)]),
        .dictionary(["NS.objects": .array([.uid(8), .uid(0)]), "$class": .uid(7)]),
        Self.class("NSKnownKeysDictionary1", "NSMutableDictionary", "NSDictionary", "NSObject"),
        .dictionary(["NS.objects": .array([.uid(9), .uid(10)]), "$class": .uid(7)]),
        Self.class("NSKnownKeysMappingStrategy1", "NSObject"),
        Self.class("NSArray", "NSObject"),
        .integer(7), .string("seven"), .string("nothing"),
      ])
    )
    let entries = try #require(archive.root?.entries)
    #expect(entries.map(\.key) == ["seven", "nothing"])
    #expect(entries[0].value?.integer == 7)
    #expect(entries[1].value == nil)
  }

  @Test func `a mutable string and a class without its name are read`() throws {
    #expect(try Self.object(["NS.string": .string("text")]).string == "text")
    let nameless = PropertyList.dictionary(["$classes": .array([.string("A"), .string("B")])])
    let archive = try KeyedArchive(Self.archive([.dictionary(["$class": .uid(2)]), nameless]))
    #expect(archive.root?.className == "A")
  }

  @Test(arguments: [
    // 12.50: mantissa 1250 in little-endian and in big-endian digits.
    ("e2040000000000000000000000000000", 1, -2, false, "12.5"),
    ("04e20000000000000000000000000000", 2, -2, true, "-12.5"),
    (
      "ffffffffffffffffffffffffffffffff", 1, 0, false,
      "340282366920938463463374607431768211455"
    ),
    ("00000000000000000000000000000000", 1, 0, false, "0"),
    ("00000000000000000000000000000000", 1, 0, true, "NaN"),
  ])
  func `a decimal number is read`(
    mantissa: String,
    order: Int64,
    exponent: Int64,
    isNegative: Bool,
    text: String
  ) throws {
    let object = try Self.object([
      "NS.mantissa": .data([UInt8](hex: mantissa)), "NS.mantissa.bo": .integer(order),
      "NS.exponent": .integer(exponent), "NS.negative": .boolean(isNegative),
    ])
    #expect(object.decimal?.description == text)
  }

  @Test(arguments: [
    "0", "1", "-1", "0.1", "1250000000000", "-3.14159265358979323846264338327950288419",
    "340282366920938463463374607431768211455", "1e127", "1e-128", "NaN",
  ])
  func `a decimal number is written and read back`(text: String) throws {
    let number = try text == "NaN" ? Decimal.nan : #require(Decimal(string: text))
    var writer = KeyedArchiveWriter()
    let root = writer.add(number)
    let read = try KeyedArchive(writer.finish(root: root)).root?.decimal
    #expect(read == number)
  }

  @Test(arguments: [
    (PropertyList.string("x"), "not a keyed archive: its $archiver is not NSKeyedArchiver"),
    (.dictionary([:]), "not a keyed archive: its $archiver is not NSKeyedArchiver"),
    (
      .dictionary(["$archiver": .string("NSKeyedArchiver")]),
      "not a keyed archive: it has no $objects that begin with $null"
    ),
    (
      .dictionary([
        "$archiver": .string("NSKeyedArchiver"), "$objects": .array([.string("$null")]),
      ]), "not a keyed archive: it has no $top"
    ),
    (archive([]), "archived object 0 refers to object 1, which does not exist"),
    (archive([.array([.uid(9)])]), "archived object 1 refers to object 9, which does not exist"),
    (archive([.uid(1)]), "archived object 1 is only a reference"),
    (archive([.dictionary(["$class": .uid(0)])]), "archived object 1 has a $class that is not one"),
  ])
  func `a property list that is not an archive is refused`(list: PropertyList, fault: String) throws
  {
    #expect(failure { try KeyedArchive(list) } == fault)
  }

  @Test func `an array that holds itself is reached one step at a time`() throws {
    let archive = try KeyedArchive(
      Self.archive([
        .dictionary(["NS.objects": .array([.uid(1)]), "$class": .uid(2)]),
        Self.class("NSArray", "NSObject"),
      ])
    )
    #expect(archive.root?.elements?.first??.elements?.first??.index == 1)
  }
}

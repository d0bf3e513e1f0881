import BulkSupport
import BulkModel
import Foundation

/// Small sound mappings of the model of ``Seeds`` to itself.
enum MappingSeeds {
  /// A mapping file with a bit of everything.
  static let json = """
    {"bulkmigrate": "mapping/1", "infer": "unmentioned", "source": {"store": "a", "model": "b"},
     "destination": {"store": "c", "model": "d"}, "entityMappings": [
      {"name": "one", "type": "transform", "source": "A1", "destination": "A1",
       "filter": "n > 3 AND b != nil", "userInfo": {"k": {"date": 1.5}, "l": -1.5e3, "m": "é"},
       "attributes": {"n": "$source.n + 1", "d": 1.5, "s": {"value": "\\"a\\"", "userInfo": {}},
        "u": null, "l": null},
       "relationships": {"f": "FUNCTION($manager, \\"destinationInstancesForEntityMappingNamed:sourceInstances:\\", \\"one\\", $source.f)"}},
      {"source": "B", "destination": "B", "policy": "P"}]}
    """

  /// A mapping as Xcode writes it.
  static let xml = """
    <?xml version="1.0" standalone="yes"?>
    <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
    <database><databaseInfo><version>134481920</version></databaseInfo>
    <object type="XDDEVMAPPINGMODEL" id="z102">
    <attribute name="sourcemodelpath" type="string">P/M.xcdatamodeld/M.xcdatamodel</attribute>
    <attribute name="sourcemodeldata" type="binary">AAAA</attribute>
    <relationship name="entitymappings" type="0/0" destination="XDDEVENTITYMAPPING" idrefs="z103"></relationship>
    </object><object type="XDDEVENTITYMAPPING" id="z103">
    <attribute name="sourcename" type="string">A1</attribute>
    <attribute name="destinationname" type="string">A1</attribute>
    <attribute name="mappingnumber" type="int16">1</attribute>
    <attribute name="autogenerateexpression" type="bool">1</attribute>
    <attribute name="sourcefilterpredicatestring" type="string">n\\u3e001</attribute>
    <attribute name="migrationpolicyclassname" type="string"></attribute>
    <relationship name="attributemappings" type="0/0" destination="XDDEVATTRIBUTEMAPPING" idrefs="z104"></relationship>
    <relationship name="relationshipmappings" type="0/0" destination="XDDEVRELATIONSHIPMAPPING" idrefs="z105 z106"></relationship>
    </object><object type="XDDEVATTRIBUTEMAPPING" id="z104"><attribute name="name" type="string">n</attribute>
    <attribute name="valueexpressiondata" type="binary">
    \(Data(value.archive()).base64EncodedString())
    </attribute></object>
    <object type="XDDEVRELATIONSHIPMAPPING" id="z105"><attribute name="name" type="string">f</attribute></object>
    <object type="XDDEVRELATIONSHIPMAPPING" id="z106"><attribute name="name" type="string">b</attribute>
    <attribute name="sourcekeypath" type="string">$source.b</attribute>
    <attribute name="sourcemappingname" type="string">A1ToA1</attribute></object></database>
    """

  /// A compiled mapping.
  static var cdm: [UInt8] {
    var archive = KeyedArchiveWriter()
    let name = archive.add("n" as String?)
    let expression = archive.add(value)
    let property = archive.add(
      class: .init("NSPropertyMapping"),
      ["NSDestinationPropertyName": name, "NSValueExpression": expression]
    )
    let entity = archive.add("A1" as String?)
    let fetch = archive.add(Self.fetch)
    let mapping = archive.add(
      class: .init("NSEntityMapping"),
      [
        "NSMappingName": archive.add("A1ToA1" as String?), "NSMappingType": .integer(5),
        "NSSourceEntityName": entity, "NSDestinationEntityName": entity,
        "NSSourceExpression": fetch, "NSAttributeMappings": archive.add([property]),
        "NSUserInfo": archive.add(entries: [(key: "k", value: archive.add(date: 1.5))]),
      ]
    )
    let root = archive.add(
      class: .init("NSMappingModel"),
      ["NSEntityMappings": archive.add([mapping])]
    )
    return BinaryPropertyListWriter.write(archive.finish(root: root))
  }

  private static let value = ValueExpression.predefined(
    selector: "add:to:",
    arguments: [.keyPath("n", of: .variable("source")), .constant(.integer(1))]
  )

  private static let fetch = ValueExpression.fetch(
    request: .function(
      target: .variable("manager"),
      selector: "fetchRequestForSourceEntityNamed:predicateString:",
      arguments: [.constant(.string("A1")), .constant(.string("n > 1"))]
    ),
    context: .keyPath("sourceContext", of: .variable("manager")),
    countOnly: false
  )
}

import BulkModel
import Foundation

/// A model with a bit of everything: inheritance, all kinds of relationships, indexes, defaults.
struct ModelText {
  static let xml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="1">
    <entity name="A" isAbstract="YES" representedClassName="A" syncable="YES">
    <attribute name="n" optional="YES" attributeType="Integer 64" defaultValueString="-3" usesScalarValueType="YES"/>
    <attribute name="d" attributeType="Decimal" defaultValueString="1.50" minValueString="0"/>
    <attribute name="w" attributeType="Date" defaultDateTimeInterval="12.5"/>
    <attribute name="s" attributeType="String" defaultValueString="a'&quot;b" minValueString="1" regularExpressionString=".*"/>
    <relationship name="b" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="B" inverseName="as" inverseEntity="B"/>
    <fetchIndex name="i"><fetchIndexElement property="n" type="Binary" order="ascending"/></fetchIndex>
    <userInfo><entry key="k" value="v"/></userInfo>
    </entity>
    <entity name="A1" parentEntity="A" elementID="Q">
    <attribute name="u" optional="YES" attributeType="UUID"/><attribute name="l" optional="YES" attributeType="URI"/>
    <attribute name="x" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
    <attribute name="t" optional="YES" attributeType="Transformable" valueTransformerName="T"/>
    <relationship name="f" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade" destinationEntity="A1" inverseName="g" inverseEntity="A1"/>
    <relationship name="g" optional="YES" toMany="YES" deletionRule="Deny" destinationEntity="A1" inverseName="f" inverseEntity="A1"/>
    <uniquenessConstraints><uniquenessConstraint><constraint value="u"/></uniquenessConstraint></uniquenessConstraints>
    </entity>
    <entity name="B" syncable="YES">
    <attribute name="count" optional="YES" attributeType="Integer 16" derived="YES" derivationExpression="as.@count"/>
    <attribute name="o" optional="YES" attributeType="Boolean" defaultValueString="YES"/>
    <relationship name="as" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify" destinationEntity="A" inverseName="b" inverseEntity="A"/>
    <relationship name="h" optional="YES" toMany="YES" deletionRule="No Action" destinationEntity="A1"/>
    <fetchedProperty name="p" optional="YES"><fetchRequest name="r" entity="B" predicateString="o == YES"/></fetchedProperty>
    </entity>
    <fetchRequest name="q" entity="A" predicateString="n &gt; $x"/>
    <configuration name="C"><memberEntity name="A"/></configuration>
    </model>
    """

  /// The model.
  var model: ManagedObjectModel {
    let path = "/dev/shm/bulkmigrate-fuzz-model-\(getpid())"
    defer { unlink(path) }
    do {
      try Data(Self.xml.utf8).write(to: URL(fileURLWithPath: path))
      return try ManagedObjectModel(contentsOf: path)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

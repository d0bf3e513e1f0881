internal import BulkCoding
public struct VersionHash: Hashable, Sendable, CustomStringConvertible {
  public var bytes: [UInt8]
  public init?(_ bytes: [UInt8]) { self.bytes = bytes }
  public var description: String { "" }
  package static func digest(of: [String: VersionHash]) -> String { "" }
  package static func checksum(of: [String: VersionHash]) -> String { "" }
  package static func hexadecimal(_ b: [UInt8]) -> String { "" }
}
extension ManagedObjectModel {
  public var entityVersionHashesByName: [String: VersionHash] { [:] }
  package init(contentsOf path: String) throws(ModelError) { throw .entityWithoutName }
}
package enum ModelCache {
  package static func model(from: [UInt8]) throws(ModelError) -> ManagedObjectModel { throw .entityWithoutName }
  package static func bytes(of: ManagedObjectModel) -> [UInt8] { [] }
}
package enum CompiledModelWriter { package static func archive(of: ManagedObjectModel) -> [UInt8] { [] } }
package struct ModelPackage { 
  package struct Version { package var name: String; package var path: String }
  package var versions: [Version] { [] }
  package init(contentsOf: String) throws(ModelError) {}
  package func currentVersion() throws(ModelError) -> Version { throw .entityWithoutName }
}
package struct ModelCompatibility { package init(storeHashes: [String: VersionHash], model: ManagedObjectModel) {}
 package var differences: [String] { [] } }

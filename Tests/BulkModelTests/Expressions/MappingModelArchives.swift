import BulkTestSupport
import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// The value expressions of a mapping model's XML.
final class MappingModelArchives: NSObject, XMLParserDelegate {
  private var archives: [[UInt8]] = []
  private var text: String?

  static func read(_ path: String) -> [[UInt8]] {
    let url = URL(fileURLWithPath: SharedData.path(path))
    guard let parser = XMLParser(contentsOf: url) else { return [] }
    let delegate = MappingModelArchives()
    parser.delegate = delegate
    _ = parser.parse()
    return delegate.archives
  }

  func parser(
    _ parser: XMLParser,
    didStartElement elementName: String,
    namespaceURI: String?,
    qualifiedName: String?,
    attributes: [String: String]
  ) {
    if attributes["name"] == "valueexpressiondata" { text = "" }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text? += string }

  func parser(
    _ parser: XMLParser,
    didEndElement elementName: String,
    namespaceURI: String?,
    qualifiedName: String?
  ) {
    guard let found = text else { return }
    text = nil
    let data = Data(base64Encoded: found, options: .ignoreUnknownCharacters)
    archives.append([UInt8](data ?? Data()))
  }
}

internal import BulkCoding

/// An element of a model's XML, with its content.
struct SourceElement {
  /// The nesting limit of elements, far beyond that of any model.
  static let depthLimit = 32

  let name: String
  let line: Int
  let attributes: [String: String]
  private(set) var children: [SourceElement] = []

  /// The root element of a document.
  static func root(of bytes: [UInt8]) throws(CodingError) -> SourceElement {
    var scanner = try XMLScanner(bytes)
    var open: [SourceElement] = []
    var root: SourceElement?
    while let event = try scanner.next() {
      switch event {
      case .start(let name, let attributes):
        guard open.count < depthLimit else {
          throw .xml(line: scanner.line, reason: "holds more than \(depthLimit) levels")
        }
        open.append(SourceElement(name: name, line: scanner.line, attributes: attributes))
      case .end:
        guard let last = open.popLast() else { continue }
        guard let parent = open.indices.last else {
          root = last
          continue
        }
        open[parent].children.append(last)
      case .text: continue
      }
    }
    guard let root else { throw .xml(line: scanner.line, reason: "has no element") }
    return root
  }

  private init(name: String, line: Int, attributes: [String: String]) {
    self.name = name
    self.line = line
    self.attributes = attributes
  }

  /// The children with a name.
  func children(_ name: String) -> [SourceElement] { children.filter { $0.name == name } }

  /// The value of an attribute; `nil` if it is absent or empty.
  func text(_ attribute: String) -> String? {
    attributes[attribute].flatMap { $0.isEmpty ? nil : $0 }
  }
}

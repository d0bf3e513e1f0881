internal import BulkCoding
internal import BulkPlatform

/// A file or folder at a path, for reading models.
struct ModelFile {
  /// The size limit of a model file; the largest known one has less than a hundredth of it.
  static let sizeLimit = 512 * 1024 * 1024

  let path: String

  init(_ path: String) {
    // A path to a folder often ends with a slash.
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// The last component of the path.
  var name: String { String(path.split(separator: "/").last ?? "") }

  /// The extension of the name, in lowercase.
  var `extension`: String {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1 ? String(parts[parts.count - 1]).lowercased() : ""
  }

  /// The name without its extension.
  var nameWithoutExtension: String {
    name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }

  var isFolder: Bool {
    var isFolder = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
  }

  var exists: Bool { FileManager.default.fileExists(atPath: path) }

  func file(_ name: String) -> ModelFile { ModelFile(path + "/" + name) }

  /// The contents of a folder, by name in code-unit order.
  func files() throws(ModelError) -> [ModelFile] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path).sortedByCodeUnit().map(file)
    } catch {
      throw fault(error)
    }
  }

  func bytes() throws(ModelError) -> [UInt8] {
    do throws(FileReading.Fault) {
      return try FileReading.bytes(ofFile: path, atMost: Self.sizeLimit)
    } catch {
      throw .unreadable(path: path, reason: error.reason(limit: Self.sizeLimit, kind: "model"))
    }
  }

  /// A property list in this file.
  func propertyList() throws(ModelError) -> PropertyList {
    let bytes = try bytes()
    do throws(CodingError) {
      return try PropertyList(bytes)
    } catch {
      throw .unreadable(path: path, reason: "\(error)")
    }
  }

  private func fault(_ error: any Error) -> ModelError {
    guard exists else { return .unreadable(path: path, reason: "there is no such file") }
    return .unreadable(path: path, reason: "\(error)")
  }
}

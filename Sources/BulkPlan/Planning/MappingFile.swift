internal import Foundation

/// A mapping file: where a migration's models and stores are, and how they map.
///
/// Paths in the file are relative to it. The format is described by `Plans/mapping.schema.json`.
struct MappingFile: Codable, Sendable {
  /// The format of the file.
  static let format = "mapping/1"

  /// A store and its model.
  struct Input: Codable, Sendable {
    var store: String?
    var model: String?
  }

  var bulkmigrate: String
  var source: Input?
  var destination: Input?
  var infer: String?

  private static let keys: Set<String> = [
    "bulkmigrate", "source", "destination", "infer", "$schema",
  ]
  private static let inputKeys: Set<String> = ["store", "model"]

  /// Reads a mapping file; every contradiction is reported at once.
  static func read(_ path: String) throws(PlanError) -> MappingFile {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw .missingMapping(path)
    }
    let reasons = faults(in: data)
    guard reasons.isEmpty else {
      throw .badMapping(path: path, reasons: reasons.map { "\(path): \($0)" })
    }
    do {
      return try JSONDecoder().decode(MappingFile.self, from: data)
    } catch {
      throw .badMapping(path: path, reasons: ["\(path): \(PlanError.text(of: error))"])
    }
  }

  private static func faults(in data: Data) -> [String] {
    let object: Any
    do {
      object = try JSONSerialization.jsonObject(with: data)
    } catch {
      let detail = (error as NSError).userInfo["NSDebugDescription"] as? String
      return ["it is not JSON: \(detail ?? "\(error)")"]
    }
    guard let top = object as? [String: Any] else { return ["it is not a JSON object"] }
    var result = unknown(top, allowed: keys, place: "")
    if top["bulkmigrate"] as? String != format {
      result.append("its entry bulkmigrate should be \"\(format)\"")
    }
    if let infer = top["infer"], !["unmentioned", "none"].contains(infer as? String) {
      result.append("infer is \(infer), but only unmentioned and none are known")
    }
    for name in ["source", "destination"] {
      guard let value = top[name] else { continue }
      guard let input = value as? [String: Any] else {
        result.append("\(name) is not an object with store and model")
        continue
      }
      result += unknown(input, allowed: inputKeys, place: "\(name).")
      for (key, value) in input where inputKeys.contains(key) && !(value is String) {
        result.append("\(name).\(key) is not a text")
      }
    }
    return result
  }

  private static func unknown(
    _ object: [String: Any],
    allowed: Set<String>,
    place: String
  ) -> [String] {
    object.keys.filter { !allowed.contains($0) }.sorted()
      .map {
        "it has an entry \(place)\($0), which is unknown; known are \(allowed.sorted().joined(separator: ", "))"
      }
  }

  /// A request that the file answers as far as the request itself does not.
  func completing(_ request: PlanRequest, path: String) -> PlanRequest {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    func resolved(_ path: String?) -> String? {
      path.map { URL(fileURLWithPath: $0, relativeTo: folder).standardizedFileURL.path }
    }
    var result = request
    result.source = request.source ?? resolved(source?.store)
    result.destination = request.destination ?? resolved(destination?.store)
    result.sourceModel = request.sourceModel ?? resolved(source?.model)
    result.destinationModel = request.destinationModel ?? resolved(destination?.model)
    return result
  }
}

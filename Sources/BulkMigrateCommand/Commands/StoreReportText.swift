import BulkCoding
import BulkPlan
import BulkVersions

extension StoreReport {
  /// The report, with whole version hashes if they are wanted.
  func lines(hasWholeHashes: Bool) -> [String] {
    head + versionLines + modelLines + entityLines(hasWholeHashes) + otherTables + fileLines
      + unmanagedLines
      + misnamedLines
  }

  /// The characters of a value that are shown.
  private static let shown = 200

  private var head: [String] {
    let mode = isInWriteAheadMode ? "WAL" : "rollback journal"
    return [
      "\(path): \(isOfSwiftData ? "SwiftData" : "Core Data") store",
      "  size        \(ByteCount(bytes: bytes)), pages of \(pageSize) bytes, \(mode)",
      "  identifier  \(uuid)",
      "  written by  Core Data \(frameworkVersion)",
      "  version     \(identifiers.map { "\"\($0)\"" }.joined(separator: ", "))",
    ]
      + (salvage.map { ["  salvaged    \($0)"] } ?? [])
      + metadata.sorted { $0.key < $1.key }.map { "  metadata    \($0): \($1.prefix(Self.shown))" }
  }

  private var versionLines: [String] {
    guard let version else { return [] }
    let part = version.configuration.map { ", configuration \($0)" } ?? ""
    return [
      "", "Model version", "  \(version.name)\(part)", "  \(version.standing)",
      "  in \(version.path)",
    ]
  }

  private var modelLines: [String] {
    guard !models.isEmpty else {
      if version != nil { return [] }
      return ["", "No model: the store keeps none of itself; pass --model."]
    }
    let lines = models.flatMap { model -> [String] in
      let place = model.path == path ? "kept in the store" : model.path
      guard !model.opensStore else { return ["  opens it      \(place)"] }
      return ["  does not fit  \(place)"] + model.differences.map { "      \($0)" }
    }
    return ["", "Models"] + lines
  }

  private func entityLines(_ hasWholeHashes: Bool) -> [String] {
    guard !entities.isEmpty else { return [] }
    return ["", "Entities"]
      + entities.sorted { NaturalOrder.precedes($0.name, $1.name) }.table(
        indent: 2,
        .right("NO") { "\($0.number)" },
        .left("ENTITY") { entity in
          entity.superentity.map { "\(entity.name): \($0)" } ?? entity.name
        },
        .left("TABLE") { $0.table },
        .right("ROWS") { $0.rows.map(\.grouped) ?? "" },
        .right("BYTES") { $0.estimatedBytes.map { "≈ \(ByteCount(bytes: $0))" } ?? "" },
        .left("HASH") { hasWholeHashes ? $0.hash : String($0.hash.prefix(12)) }
      )
  }

  private var otherTables: [String] {
    guard !tables.isEmpty else { return [] }
    return ["", "Other tables"]
      + tables.table(
        indent: 2,
        .left("TABLE") { $0.name },
        .left("KIND") { $0.kind },
        .right("ROWS") { $0.rows.map(\.grouped) ?? "" }
      )
  }

  private var fileLines: [String] {
    guard let files = externalFiles else { return [] }
    let count = "\(files.count.grouped) \(files.count == 1 ? "file" : "files")"
    let missing = files.missing > 0 ? ", \(files.missing.grouped) missing" : ""
    return ["", "External values", "  \(count), \(ByteCount(bytes: files.bytes))\(missing)"]
  }

  private var unmanagedLines: [String] {
    unmanaged.isEmpty ? [] : ["", "What no model explains"] + unmanaged.map { "  \($0)" }
  }

  private var misnamedLines: [String] {
    misnamed.isEmpty
      ? []
      : ["", "Names that differ from the model's; plan --strategy rebuild corrects them"]
        + misnamed.map { "  \($0)" }
  }
}

extension StoreReport.Version {
  fileprivate var standing: String {
    switch isCurrent {
    case true?: "the current version"
    case false?: "not the current version, which is \(currentVersion ?? "another")"
    case nil:
      packages.isEmpty
        ? "in none of the models that were given" : "none is marked as the current version"
    }
  }
}

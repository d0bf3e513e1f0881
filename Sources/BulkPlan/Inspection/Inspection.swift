public import BulkVersions
internal import BulkModel
internal import BulkStore
internal import Foundation

/// What a file is and what it holds: a store, a model, a package of model versions or a mapping.
public enum Inspection: Sendable {
  /// A store.
  case store(StoreReport)
  /// A model, or the versions of one.
  case model(ModelReport)
  /// A mapping file.
  case mapping(MappingReport)

  /// Looks at a file.
  ///
  /// - Parameters:
  ///   - path: The file or folder.
  ///   - models: Models, version packages or stores to compare a store with.
  ///   - library: Files and folders with the versions of a store's model.
  ///   - countsRows: Whether to count a store's rows; without it only metadata is read, which takes
  ///     milliseconds however large the store is.
  /// - Returns: What it holds.
  /// - Throws: ``PlanError`` if it is nothing that is known, or damaged.
  public static func inspect(
    _ path: String,
    models: [String] = [],
    library: [String] = [],
    countsRows: Bool = true
  ) throws(PlanError) -> Inspection {
    let url = URL(fileURLWithPath: path).standardizedFileURL
    switch url.pathExtension {
    case "xcdatamodel", "xcdatamodeld", "mom", "momd":
      return .model(try ModelReport(url.path))
    case "json", "xcmappingmodel", "cdm":
      return .mapping(try MappingReport(url.path))
    default:
      return .store(
        try StoreReport(
          url.path,
          models: models,
          library: library.isEmpty ? nil : try ModelLibrary(models: library, mappings: []),
          countsRows: countsRows
        )
      )
    }
  }
}

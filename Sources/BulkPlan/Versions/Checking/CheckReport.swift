/// What becomes of the stores of an app's versions when the app's current version opens them.
package struct CheckReport: Codable, Hashable, Sendable {
  /// The versions of one model, in the order of their names.
  package struct Line: Codable, Hashable, Sendable {
    package let path: String
    package let versions: [Version]
    /// The name of the version that opens the stores.
    package let opening: String
    /// Whether ``opening`` is only the last of the names: nothing marks a version as the current one.
    package let isOpeningAssumed: Bool
    /// What is wrong with the versions themselves, a sentence each.
    package let faults: [String]
  }

  package struct Version: Codable, Hashable, Sendable {
    package let name: String
    package let path: String
    /// The identifiers, as `VersionedSchema` or Xcode records them.
    package let identifiers: [String]
    /// The checksum; absent if the model cannot be read.
    package let checksum: String?
  }

  /// What one version does with a store.
  package enum Outcome: String, Codable, Hashable, Sendable {
    /// It opens the store as it is.
    case same
    /// It migrates the store by inference, whatever its rows are.
    case light
    /// Inference changes the tables, but code must prepare the rows first.
    case custom
    /// Inference refuses the change, so no single stage makes it.
    case refused
    /// It is older than the store's version.
    case earlier
  }

  package struct VersionOutcome: Codable, Hashable, Sendable {
    package let version: String
    package let outcome: Outcome
    /// The conditions of the rows, or the refusals, a sentence each.
    package let reasons: [String]
  }

  /// How a store comes to the version that opens it.
  package enum Verdict: String, Codable, Hashable, Sendable {
    /// It has this version.
    case current
    /// By inference alone.
    case light
    /// By a mapping model that fits.
    case mapped
    /// By the custom stages that were named, and inference between them.
    case staged
    /// A custom stage is missing.
    case custom
    /// A version between is missing, or a mapping model.
    case refused
    /// Its version is none of the app's, and has the identifier of one of them.
    case changed
    /// Its version is none of the app's.
    case unknown
    /// It cannot be read, or is not a store.
    case unreadable

    package var isGood: Bool {
      switch self {
      case .current, .light, .mapped, .staged: true
      case .custom, .refused, .changed, .unknown, .unreadable: false
      }
    }
  }

  package struct Store: Codable, Hashable, Sendable {
    /// The path, as it was given.
    package let path: String
    package var isOfSwiftData = false
    package var identifiers: [String] = []
    /// The path of the ``Line`` that it is checked against; absent where no version has one of its entities.
    package var line: String?
    /// The name of its version; absent if it is none of the app's.
    package var version: String?
    package var verdict = Verdict.unreadable
    /// Why, a sentence each.
    package var reasons: [String] = []
    /// The error of Core Data or SwiftData, as it words it; absent where it opens the store.
    package var thrown: String?
    /// What each version of its model does with it; none where no version has its entities.
    package var outcomes: [VersionOutcome] = []
    /// The version that it is compared with where its own is none of the app's.
    package var nearest: String?
    /// The differences to ``nearest``: property, key of the version hash, the store's value, the version's.
    package var differences: [String] = []
    /// The steps by which bulkmigrate brings it to the same version, absent if it cannot.
    package var route: [RouteStep]?
  }

  package let lines: [Line]
  package let stores: [Store]

  package var isGood: Bool {
    stores.allSatisfy(\.verdict.isGood) && lines.allSatisfy(\.faults.isEmpty)
  }
}

package import BulkPlan
internal import BulkSupport

/// A fleet that is planned: which stores, by which models and mappings.
///
/// The stores are in a file beside it, heaviest first, a ``FleetStore`` a line.
package struct FleetPlan: Codable, Hashable, Sendable {
  package static let format = "fleet/1"

  /// The format, always ``format``.
  package var bulkmigrate: String
  /// A digest of all else.
  package var fingerprint: String
  /// The manifest, an absolute path.
  package var manifest: String
  /// The value of `now()` for all stores, in seconds since 2001-01-01 00:00:00 UTC.
  package var now: Double
  package var settings: Settings
  /// The digests of the files of models and mappings, by their names in the folders that hold them.
  package var inputs: [String: String]
  package var stores: List
  package var versions: [Version]
  /// The names in lines of the manifest that are ignored; absent if all are known.
  package var ignoredMembers: [String]?
  package var faults: [Fault]

  package struct Settings: Codable, Hashable, Sendable {
    package var models: [String] = []
    package var mappings: [String] = []
    package var ignoredMappings: [String] = []
    /// The name of the wanted version; absent for the current one.
    package var version: String?
    /// Whether what no mapping describes is inferred.
    package var infers = true
    /// The refusals that are overridden; absent if none is.
    package var allowed: Set<PlanAllowance>?
    /// Whether what Core Data refuses to infer is refused; absent where it is not.
    package var isLikeCoreData: Bool?
    /// The folder in which all stores must be, an absolute path; absent for any.
    package var root: String?
    package var maxLoss = LossLimit.usual

    package init() {}

    /// The settings that a request has, with absolute paths.
    package init(_ request: PlanRequest) {
      models = request.models.map { FilePath.absolute($0) }
      mappings = request.mappings.map { FilePath.absolute($0) }
      ignoredMappings = request.ignoredMappings.map { FilePath.absolute($0) }
      (version, infers) = (request.version, request.infers)
      allowed = request.allowed.isEmpty ? nil : request.allowed
      isLikeCoreData = request.isLikeCoreData ? true : nil
    }
  }

  package struct List: Codable, Hashable, Sendable {
    /// The name of the file, in the folder of the fleet.
    package var file: String
    package var digest: String
    package var count: Int
    /// The bytes of all stores whose size is known.
    package var bytes: Int64
    package var bins: Int
    /// The seconds that one worker takes, about; absent where an earlier release planned.
    package var seconds: Double?
    /// The calls of the stage commands without those for external values; absent where stores are not staged.
    package var requests: Int64?
  }

  package struct Version: Codable, Hashable, Sendable {
    package var name: String
    package var stores: Int
    /// Their bytes, as far as known.
    package var bytes: Int64
    /// The route; empty where there is nothing to do, absent where no store was opened.
    package var route: [RouteStep]?
    /// The losses of its smallest store; absent where it loses nothing, or no store was planned.
    package var losses: Losses?
  }

  /// The losses of one store, an example for its version.
  package struct Losses: Codable, Hashable, Sendable {
    package var id: String
    package var losses: [MigrationPlan.Loss]
    /// Whether the limit of the fleet forbids them.
    package var isRefused: Bool
    /// A sentence part on the losses that are counted in the run only; absent without any.
    package var uncounted: String?
  }

  /// Why some stores cannot be migrated.
  package struct Fault: Codable, Hashable, Sendable {
    package var reason: String
    package var stores: Int
    /// The ids of the first of them.
    package var ids: [String]
  }
}

extension FleetPlan {
  package func encoded() throws -> String { try StableJSON.document(self) + "\n" }

  /// Refuses what is not the plan of a fleet, or was edited.
  package init(contentsOf path: String) throws(FleetError) {
    guard let bytes = FileReading.all(of: path) else {
      throw .unreadable(
        path: path,
        reason: "the file does not exist or cannot be read; bulkmigrate fleet plan makes one"
      )
    }
    do {
      self = try JSONDecoder().decode(FleetPlan.self, from: Data(bytes))
    } catch {
      throw .badFleet(path: path, reason: PlanError.text(of: error))
    }
    guard bulkmigrate == Self.format else {
      throw .badFleet(path: path, reason: "its format is \(bulkmigrate), not \(Self.format)")
    }
    guard fingerprint == computedFingerprint else {
      throw .badFleet(path: path, reason: "it was changed after it was made")
    }
    guard !stores.file.contains("/"), stores.count >= 0, stores.bins >= 0 else {
      throw .badFleet(path: path, reason: "its list of stores is none")
    }
  }

  var computedFingerprint: String {
    var bare = self
    bare.fingerprint = ""
    return Digest.text(of: Array(((try? bare.encoded()) ?? "").utf8))
  }

  package func request(
    knowsPolicy: (@Sendable (String) -> Bool)?,
    knowsTransformer: (@Sendable (String) -> Bool)?
  ) -> PlanRequest {
    var request = PlanRequest()
    request.models = settings.models
    request.mappings = settings.mappings
    request.ignoredMappings = settings.ignoredMappings
    request.version = settings.version
    request.infers = settings.infers
    request.allowed = settings.allowed ?? []
    request.isLikeCoreData = settings.isLikeCoreData ?? false
    // A store of the version at the end has its destination as every other.
    request.rebuilds = true
    request.now = now
    request.knowsPolicy = knowsPolicy
    request.knowsTransformer = knowsTransformer
    return request
  }

  /// Whether a file is the plan of a fleet, of any format.
  package static func isFleet(_ path: String) -> Bool {
    let beginning = FileReading.beginning(of: path, count: 4096) ?? []
    return String(decoding: beginning, as: UTF8.self).contains(/"bulkmigrate"\s*:\s*"fleet\//)
  }
}

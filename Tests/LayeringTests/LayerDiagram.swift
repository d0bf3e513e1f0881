/// The targets from bottom to top, each with the targets that it may import.
///
/// The same rows stand in `Package.swift`; a change of the house is made in both.
struct LayerDiagram {
  struct Row: Equatable, Sendable {
    let target: String
    let lower: Set<String>
  }

  let rows: [Row]
  /// The modules of the system and of the toolchain that every target may import.
  let systemModules: Set<String>
  /// The C libraries, each of which belongs to one target alone.
  let cLibraries: Set<String>

  subscript(target: String) -> Row? { rows.first { $0.target == target } }

  static let bulkmigrate = LayerDiagram(
    rows: [
      Row(target: "CBulkSQLite", lower: []),
      Row(target: "CBulkZstd", lower: []),
      Row(target: "BulkCoding", lower: []),
      Row(target: "BulkSQLite", lower: ["CBulkSQLite"]),
      Row(target: "BulkModel", lower: ["BulkCoding"]),
      Row(target: "BulkMapping", lower: ["BulkCoding", "BulkModel"]),
      Row(target: "BulkStore", lower: ["BulkCoding", "BulkModel", "BulkSQLite"]),
      Row(target: "BulkAssociation", lower: ["CBulkZstd"]),
      Row(target: "BulkFixture", lower: ["BulkCoding", "BulkModel", "BulkSQLite", "BulkStore"]),
      Row(target: "BulkVersions", lower: ["BulkCoding", "BulkModel", "BulkMapping", "BulkStore"]),
      Row(
        target: "BulkLowering",
        lower: ["BulkModel", "BulkMapping", "BulkStore", "BulkVersions"]
      ),
      Row(
        target: "BulkPlan",
        lower: [
          "BulkCoding", "BulkModel", "BulkMapping", "BulkStore", "BulkVersions", "BulkLowering",
        ]
      ),
      Row(
        target: "BulkExecute",
        lower: [
          "BulkCoding", "BulkModel", "BulkMapping", "BulkStore", "BulkAssociation",
          "BulkVersions", "BulkLowering", "BulkPlan",
        ]
      ),
      Row(
        target: "BulkMigrate",
        lower: [
          "BulkCoding", "BulkModel", "BulkMapping", "BulkVersions", "BulkPlan", "BulkExecute",
        ]
      ),
      Row(
        target: "BulkMigrateCommand",
        lower: [
          "BulkCoding", "BulkModel", "BulkMapping", "BulkFixture", "BulkVersions", "BulkPlan",
          "BulkExecute",
        ]
      ),
      Row(target: "BulkMigrateTool", lower: ["BulkMigrateCommand"]),
    ],
    systemModules: [
      "Darwin", "Foundation", "FoundationEssentials", "Glibc", "Musl", "Synchronization",
    ],
    cLibraries: ["CBulkSQLite", "CBulkZstd"]
  )
}

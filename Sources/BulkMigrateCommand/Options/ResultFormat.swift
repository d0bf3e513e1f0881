/// A document that commands print with `--json`: its kind and its version, as `Plans/schemas/KIND.schema.json` describes it.
///
/// The version changes when a document that was valid before would not be any more.
enum ResultFormat: String, CaseIterable, Sendable {
  case attempt = "attempt/1"
  case controlReport = "control-report/1"
  case failure = "failure/1"
  case fixture = "fixture/1"
  case fleet = "fleet/1"
  case fleetReport = "fleet-report/1"
  case fleetRetry = "fleet-retry/1"
  case fleetRun = "fleet-run/1"
  case fleetStatus = "fleet-status/1"
  case forecasts = "forecasts/1"
  case mapping = "mapping/1"
  case mappingDifferences = "mapping-differences/1"
  case mappingFindings = "mapping-findings/1"
  case mappingReport = "mapping-report/1"
  case migrate = "migrate/1"
  case modelReport = "model-report/1"
  case plan = "plan/1"
  case planDifferences = "plan-differences/1"
  case preflight = "preflight/1"
  case rejectedObject = "rejected-object/1"
  case rejects = "rejects/1"
  case replay = "replay/1"
  case rollback = "rollback/1"
  case settings = "settings/1"
  case status = "status/1"
  case storeReport = "store-report/1"
  case verification = "verification/1"
  case written = "written/1"

  /// The kind of the document.
  var kind: Substring { rawValue.prefix { $0 != "/" } }
}

extension [ResultFormat] {
  /// What a command prints with `--json`, as a sentence; `nil` if it prints no documents.
  var sentence: String? {
    guard let last else { return nil }
    let others = dropLast().map(\.rawValue).joined(separator: ", ")
    let formats = others.isEmpty ? last.rawValue : "\(others) or \(last.rawValue)"
    return "With --json it prints \(formats), which a schema in Plans/schemas describes."
  }
}

/// A document with its format.
struct FormattedResult<Value: Encodable>: Encodable {
  private let format: ResultFormat
  private let value: Value

  private enum CodingKeys: CodingKey { case bulkmigrate }

  /// - Parameters:
  ///   - value: The document, an object.
  ///   - format: Its format.
  init(_ value: Value, as format: ResultFormat) { (self.value, self.format) = (value, format) }

  func encode(to encoder: any Encoder) throws {
    try value.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(format.rawValue, forKey: .bulkmigrate)
  }
}

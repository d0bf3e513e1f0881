import BulkMigrate
import BulkTestSupport

extension Planned {
  /// A preflight of the plan, with temporary files in a folder of the test.
  func preflight() throws -> Preflight {
    var preflight = Preflight(plan)
    preflight.memoryLimit = .gibibytes(64)
    preflight.temporaryFolder = try directory.folder("temporary")
    return preflight
  }

  /// What a preflight finds.
  func report(
    dependants: RejectPolicy.Dependants = .nullify,
    sample: Double? = nil
  ) throws -> PreflightReport {
    var preflight = try preflight()
    preflight.rejects.dependants = dependants
    preflight.sample = sample
    return try preflight.run()
  }

  /// What a run leaves out, as the reject files tell it: how many reasons there are of each rule.
  func rejected(dependants: RejectPolicy.Dependants = .nullify) throws -> Rejected {
    var migration = Migration(inTestProcess: plan)
    migration.rejects = RejectPolicy(.quarantine, dependants: dependants)
    let outcome = try migration.run()
    var result = Rejected(count: outcome.rejected, losses: outcome.losses)
    guard let folder = outcome.rejectFolderPath else { return result }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder)
    where name.hasSuffix(".jsonl") {
      for line in try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
        .split(separator: "\n")
      {
        let object = try JSONDecoder().decode(RejectLine.self, from: Data(line.utf8))
        for reason in object.reasons {
          result.counts["\(reason.property): \(reason.rule)", default: 0] += 1
        }
      }
    }
    return result
  }
}

/// What a run left out.
struct Rejected {
  /// The number of objects.
  var count: Int64
  var losses: [MigrationPlan.Loss]
  /// The number of reasons, by property and rule.
  var counts: [String: Int64] = [:]
}

private struct RejectLine: Decodable {
  struct Reason: Decodable {
    let property: String
    let rule: String
  }

  let reasons: [Reason]
}

extension PreflightReport {
  /// The counts of what objects are left out for, by property and rule.
  var counts: [String: Int64] {
    let kinds: [PreflightFinding.Kind] = [.rule, .uniqueness, .expression, .dependant]
    return Dictionary(
      findings.filter { kinds.contains($0.kind) }.map { ("\($0.property): \($0.rule)", $0.count) },
      uniquingKeysWith: +
    )
  }

  /// The findings of a kind, as `property: rule (count) keys`.
  func lines(_ kind: PreflightFinding.Kind) -> [String] {
    findings.filter { $0.kind == kind }.map { finding in
      "\(finding.entity).\(finding.property): \(finding.rule) (\(finding.count)) "
        + finding.first.map { "\($0.entity) \($0.key)" }.joined(separator: ", ")
    }
  }
}

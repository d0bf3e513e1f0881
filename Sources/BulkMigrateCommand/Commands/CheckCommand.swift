import BulkSupport
import BulkPlan

extension Arguments {
  func check(_ context: CommandContext) throws -> ExitCode {
    guard !stores.isEmpty || storeList != nil else { throw UsageError.missingOperand("STORE") }
    guard !request.models.isEmpty else {
      throw UsageError("--models DIR is missing, the versions of the app")
    }
    let check = try VersionCheck(request.knowing(context), stages: stages)
    var unreadable: ExitCode?
    let report = check.report(on: try sources()) {
      unreadable = unreadable ?? $0.exitCode
    }
    try context.output.show(report, as: .check, report.lines(isMarkdown: isMarkdown))
    return unreadable ?? (report.isGood ? .done : .failed)
  }

  /// The stores that are named, then those of a list, one per line, which is read as needed.
  private func sources() throws(Refusal) -> some Sequence<String> {
    guard let storeList, storeList != "-" else {
      let readsInput = storeList != nil
      let lines = AnyIterator { readsInput ? readLine() : nil }.lazy.filter { !$0.isEmpty }
      return [AnySequence(stores), AnySequence(lines)].joined()
    }
    guard let bytes = FileReading.all(of: storeList),
      let text = String(validating: bytes, as: UTF8.self)
    else {
      throw Refusal(.noInput, "the list of stores \(storeList) cannot be read as UTF-8 text")
    }
    // With CR, the end of a line is another character.
    let lines = text.split(whereSeparator: \.isNewline).lazy.map(String.init)
    return [AnySequence(stores), AnySequence(lines)].joined()
  }
}

extension CustomStage {
  init(parsing text: String) throws {
    let names = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard names.count == 2, !names.contains("") else {
      throw UsageError("\(text) is not FROM:TO, two versions of the app")
    }
    self.init(from: names[0], to: names[1])
  }
}

extension CheckReport {
  private static let versionLimit = 8

  /// A table of stores and versions, then what is wrong, store by store.
  fileprivate func lines(isMarkdown: Bool) -> [String] {
    var document = Document(isMarkdown: isMarkdown)
    for line in self.lines {
      let stores = self.stores.filter { $0.line == line.path }
      guard !stores.isEmpty else { continue }
      let how = line.isOpeningAssumed ? ", the last by name, since none is marked as current" : ""
      document.addHeading("\(line.path), opened by \(line.opening)\(how)", level: 0)
      document.add(table(of: stores, versions: line.versions))
    }
    let others = stores.filter { $0.line == nil }
    if !others.isEmpty { document.add(table(of: others, versions: [])) }
    for store in stores { explain(store, in: &document) }
    for line in self.lines where !line.faults.isEmpty {
      document.addItem(line.path + ":", line.faults)
    }
    document.addSentence(sum)
    return document.lines
  }

  private func table(of stores: [Store], versions: [Version]) -> TextTable {
    let isWide = versions.count > Self.versionLimit
    let columns = isWide ? ["REACHES"] : versions.map(\.name)
    let titles = ["STORE", "VERSION"] + columns + ["RESULT", "BULKMIGRATE"]
    var table = TextTable(titles.map(TextTable.Column.left))
    for store in stores {
      let outcomes = versions.map { version in
        store.outcomes.first { $0.version == version.name }?.outcome.text ?? ""
      }
      let cells = isWide ? [store.reach] : outcomes
      table.append(
        [store.path, store.version ?? "none"] + cells + [store.verdict.text, store.way]
      )
    }
    return table
  }

  private func explain(_ store: Store, in document: inout Document) {
    guard !store.verdict.isGood || !store.reasons.isEmpty else { return }
    let thrown = store.thrown.map { ["the app: \($0)"] } ?? []
    let differences = store.nearest.map { nearest in
      ["it differs from \(nearest):"] + store.differences.map { "  \($0)" }
    }
    document.addItem(
      "\(store.path): \(store.verdict.explanation(store))",
      thrown + store.reasons.flatMap { $0.split(separator: "\n").map(String.init) }
        + (differences ?? [])
    )
  }

  private var sum: String {
    let good = stores.count(where: \.verdict.isGood)
    let faults = lines.reduce(0) { $0 + $1.faults.count }
    return "\(stores.count.phrase("store")): \(good) opened, \(stores.count - good) not"
      + (faults == 0 ? "" : "; \(faults.phrase("fault")) of the versions")
  }
}

extension CheckReport.Outcome {
  fileprivate var text: String { self == .earlier ? "–" : rawValue }
}

extension CheckReport.Verdict {
  fileprivate var text: String {
    switch self {
    case .current: "opens"
    case .light: "light"
    case .mapped: "mapping model"
    case .staged: "custom stages"
    case .custom: "NEEDS A CUSTOM STAGE"
    case .refused: "REFUSED"
    case .changed: "CHANGED"
    case .unknown: "UNKNOWN"
    case .unreadable: "UNREADABLE"
    }
  }

  fileprivate func explanation(_ store: CheckReport.Store) -> String {
    switch self {
    case .custom: "a custom stage must prepare the rows before"
    case .refused:
      "no single stage makes this change; add a version between, which has the old and the new property, and carry "
        + "the values there in a custom stage"
        + (store.isOfSwiftData ? "" : ", or write a mapping model")
    case .changed:
      "version \(store.identifiers.joined(separator: ", ")) was changed after it shipped"
    case .unknown: "its version is none of the app's"
    case .unreadable: "cannot be read"
    case .current, .light, .mapped, .staged: "\(text), but"
    }
  }
}

extension CheckReport.Store {
  fileprivate var reach: String {
    let later = outcomes.filter { $0.outcome != .earlier && $0.outcome != .same }
    var runs: [(first: CheckReport.VersionOutcome, last: CheckReport.VersionOutcome)] = []
    for found in later {
      if let last = runs.last, last.last.outcome == found.outcome {
        runs[runs.count - 1].last = found
      } else {
        runs.append((found, found))
      }
    }
    return runs.map { run in
      let names = [run.first.version] + (run.first == run.last ? [] : [run.last.version])
      return "\(run.first.outcome.text) \(names.joined(separator: " to "))"
    }.joined(separator: ", ")
  }

  fileprivate var way: String {
    guard let route else { return verdict == .unreadable ? "" : "no route" }
    return route.isEmpty ? "nothing to do" : route.line
  }
}

@testable import BulkExecute
import BulkTestSupport
import Testing

@testable import BulkMigrate

struct ReportPageTests {
  private func notes() throws -> MigrationPlan {
    try plan(
      from: .of(.init("Note", [.optional("title")]), .init("Draft", [.optional("text")])),
      [TestObject("Note", 1), TestObject("Note", 2), TestObject("Draft", 1)],
      to: .of(EntityDescription("Note", [.optional("title"), .optional("image")]))
    )
  }

  /// The record of an attempt that has made a destination.
  private func done(_ rows: Int64, _ measures: MeasureRecord? = nil) -> MigrationRecord {
    var record = MigrationRecord(destinationPath: "New.sqlite", rows: rows, size: .zero)
    record.take(measures)
    return record
  }

  @Test func `a plan has losses, a graph and tables, and nothing of a run`() throws {
    let page = ReportPage(MigrationRecord(.status), try notes()).text
    #expect(page.hasPrefix("<!DOCTYPE html>\n<!-- bulkmigrate report/1 -->\n<html lang=\"en\">"))
    #expect(page.contains("<strong class=\"state neutral\">planned</strong>"))
    #expect(page.contains("<td class=\"w\" data-of=\"Of\">object of Draft</td>"))
    #expect(page.contains("Draft, 1 removed"))
    #expect(page.contains("Note → Note, 2 changed: attribute image added with nil"))
    #expect(page.contains("<b>Note → Note</b><span class=\"count\">, 2</span>"))
    #expect(page.contains("<span class=\"change\">attribute image added with nil</span>"))
    #expect(page.contains("<dd class=\"note\">planned</dd>"))
    #expect(page.contains("<dd class=\"note\">planned: objects, values and links</dd>"))
    #expect(!page.contains("How it went"))
    #expect(page.components(of: "<svg ") == 1)
  }

  @Test func `a run has its course with the interruption, and each attempt`() throws {
    let plan = try notes()
    var measures = record()
    (measures.attempts[1].pauses, measures.attempts[1].pausedSeconds) = (2, 95)
    var found = done(8_000, measures)
    found.losses = plan.losses
    let page = ReportPage(found, plan).text
    #expect(
      page.contains(
        "<p>The process that began at 2001-01-01T00:01:00Z was paused 2 times, for 1m 35s.</p>"
      )
    )
    #expect(page.contains("<li>interrupted after 4.0s of work, resumed 56s later</li>"))
    #expect(page.contains("class=\"limit-line\""))
    #expect(page.contains(">peak 50 MiB<"))
    #expect(page.contains("bulkmigrate run --plan &#39;&lt;&amp;&gt;.json&#39;"))
    #expect(page.components(of: "<svg ") == 2)
  }

  @Test func `a run that is done has found figures, and none of the plan`() throws {
    let plan = try notes()
    var unknownRecord = MigrationRecord(.status)
    unknownRecord.state = .done
    let unknown = ReportPage(unknownRecord, plan).text
    #expect(unknown.contains("As planned; the counts of the run were not kept."))
    for name in ["Rows", "Time", "Lost"] {
      #expect(!unknown.contains("<dt>\(name)</dt>"), "\(name)")
    }
    var found = done(2, record())
    found.passes = plan.passes.map {
      PassUse(number: $0.number, name: $0.name, rows: $0.rows, isDone: true)
    }
    let page = ReportPage(found, plan).text
    #expect(page.contains("<dt>Rows</dt><dd>2</dd>"))
    for word in ["lanned", "at most", "≈", "the plan needs", "As the plan says"] {
      #expect(!page.contains(word), "\(word)")
    }
  }

  @Test func `each reason of a reject has its count and first objects`() throws {
    let plan = try notes()
    let rejects = RejectSummary(
      plan: plan.fingerprint,
      policy: RejectPolicy(.quarantine),
      destination: "New.sqlite",
      destinationState: "",
      count: 7,
      lines: ["Note": 7],
      reasons: [
        RejectSummary.Reason(
          entity: "Note",
          property: "title",
          rule: "required",
          count: 6,
          first: [3, 5, 8, 9, 12].map { RejectSummary.Object(key: $0) }
        ),
        RejectSummary.Reason(
          entity: "Note",
          property: "policy",
          rule: "rejected by the policy",
          count: 1,
          first: [RejectSummary.Object(key: 4, value: "a draft")]
        ),
      ],
      rows: 0,
      losses: [],
      tallies: [:]
    )
    let page = ReportPage(done(2), plan, rejects: rejects).text
    #expect(page.contains("<td class=\"w\" data-of=\"First objects\">3, 5, 8, 9, 12, …</td>"))
    #expect(page.contains("<td class=\"w\" data-of=\"First objects\">4: a draft</td>"))
  }

  @Test func `objects that end a run are listed, with the file of all`() throws {
    let plan = try notes()
    let violations = ViolationSummary(
      total: 12,
      rules: [
        ViolationSummary.Rule(
          name: ViolationSummary.RuleName(entity: "Note", property: "title", rule: "required"),
          count: 12,
          first: [
            ViolationSummary.Object(
              key: 1,
              source: ViolationSummary.SourceObject(entity: "Draft", key: 7),
              value: nil
            ), ViolationSummary.Object(key: 2, source: nil, value: "x"),
          ]
        )
      ],
      path: "violations.jsonl"
    )
    var record = MigrationRecord()
    let text = "12 values break rules:\n  Note.title"
    record.fail(MigrationError.invalidObjects(violations), message: text)
    let page = ReportPage(record, plan).text
    #expect(page.contains("<span>12 values break rules</span>"))
    #expect(!page.contains("class=\"reason\""))
    #expect(page.contains("All of them are in violations.jsonl"))
    #expect(page.contains("data-of=\"First objects\">Draft 7, 2: x, …</td>"))
    record.violationSummary = nil
    #expect(ReportPage(record, plan).text.contains("<p class=\"reason\">  Note.title</p>"))
  }

  @Test func `a running migration tells that it waits, and how fast it may write`() throws {
    var record = MigrationRecord(.status)
    record.state = .running
    record.control = RunControl(isPaused: true, bytesPerSecond: 3 << 20)
    #expect(
      try ReportPage(record, notes()).text.contains(
        "A process works on it, paused, throttled to 3 MiB a second. "
      )
    )
  }

  @Test(
    arguments: [MigrationRecord.State.none, .running, .interrupted, .abandoned, .done],
    [nil, "the disk is <full>"]
  )
  func `every state has a page that loads nothing`(
    state: MigrationRecord.State,
    error: String?
  ) throws {
    var record = MigrationRecord(.status)
    record.state = state
    record.error = error.map { MigrationRecord.Fault(message: $0) }
    let page = ReportPage(record, try notes()).text
    for word in ["<script", "<link", "<img", "src=", "href=", "url(", "@import", "http:", "https:"]
    {
      #expect(!page.contains(word), "\(word)")
    }
    #expect(page.contains("<full>") == false)
  }

  @Test func `names of a model are texts, whatever they are`() throws {
    let name = "A\u{202E}<script>&\"'" + String(repeating: "é", count: 300)
    var plan = try notes()
    plan.passes[0].entities[0].entity = name
    plan.passes[0].entities[0].details = ["</svg><script>"]
    plan.passes[0].name = name
    plan.warnings = ["]]> --> \(name)"]
    let page = ReportPage(MigrationRecord(.status), plan).text
    #expect(!page.contains("<script"))
    #expect(!page.contains("\u{202E}"))
    #expect(page.contains("A\u{FFFD}&lt;script&gt;&amp;&quot;&#39;é"))
  }

  @Test(arguments: [60, 2_000])
  func `a page is below 500 KB for any number of entities`(count: Int) throws {
    var plan = try notes()
    let entity = try #require(plan.passes[0].entities.first)
    plan.passes[0].entities = (0..<count).map { index in
      var copy = entity
      copy.entity = "Entity\(index)"
      copy.from = "Older\(index)"
      copy.rows = Int64(index * index)
      copy.details = ["attribute number\(index) of a long name is renamed to another"]
      return copy
    }
    var record = MigrationRecord(.status)
    record.take(BulkReportTests.record())
    let page = ReportPage(record, plan).text
    #expect(page.utf8.count < 500_000)
    #expect(page.contains("Entity\(count - 1)") || page.contains("more</th>"))
  }

  @Test func `a run that was over at once says so`() throws {
    let page = ReportPage(done(1, MeasureRecord()), try notes())
    #expect(page.text.contains("It was over before much could be measured."))
  }
}

extension String {
  /// How often a text is in this one.
  fileprivate func components(of text: String) -> Int { self.split(separator: text).count - 1 }
}

import BulkExecute
import BulkModel
import BulkPlan
import BulkTestSupport
import Testing

@testable import BulkReport

@Suite("The page of a report")
struct ReportPageTests {
  private func notes() throws -> ReportFacts {
    try facts(
      from: .of(
        EntityDescription("Note", [.optional("title")]),
        EntityDescription("Draft", [.optional("text")])
      ),
      [TestObject("Note", 1), TestObject("Note", 2), TestObject("Draft", 1)],
      to: .of(EntityDescription("Note", [.optional("title"), .optional("image")]))
    )
  }

  @Test func `a plan has losses, a graph and tables, and nothing of a run`() throws {
    let page = ReportPage(try notes()).text
    #expect(page.hasPrefix("<!DOCTYPE html>\n<!-- bulkmigrate report/1 -->\n<html lang=\"en\">"))
    #expect(page.contains("<strong class=\"state neutral\">planned</strong>"))
    #expect(page.contains("<td class=\"w\">object of Draft</td>"))
    #expect(page.contains("Draft, 1 removed"))
    #expect(page.contains("Note → Note, 2 changed: attribute image added with nil"))
    #expect(!page.contains("How it went"))
    // One for wide and one for narrow pages.
    #expect(page.components(of: "<svg ") == 2)
  }

  @Test func `a run has its course with the interruption, and each attempt`() throws {
    var facts = try notes()
    facts.state = .done
    facts.measures = record()
    facts.rows = 8_000
    let page = ReportPage(facts).text
    #expect(page.contains("<li>interrupted after 4.0s of work, resumed 56s later</li>"))
    #expect(page.contains("class=\"limit-line\""))
    #expect(page.contains(">peak 50 MiB<"))
    #expect(page.contains("bulkmigrate run --plan &#39;&lt;&amp;&gt;.json&#39;"))
    #expect(page.components(of: "<svg ") == 4)
  }

  @Test func `a process that took another memory limit is one process`() throws {
    var facts = try notes()
    var record = record(attempts: 3)
    record.attempts[1].formerMemoryLimit = 64 << 20
    record.attempts[1].memoryLimit = 32 << 20
    facts.measures = record
    let page = ReportPage(facts).text
    #expect(page.contains("64 MiB, then 32 MiB"))
    #expect(page.components(of: "bulkmigrate 1.2.3, SQLite 3") == 2)
    #expect(record.attemptCount == 2)
  }

  @Test(
    arguments: [
      ReportFacts.State.planned, .running, .interrupted, .failed("the disk is <full>"), .done,
    ]
  )
  func `every state has a page that loads nothing`(state: ReportFacts.State) throws {
    var facts = try notes()
    facts.state = state
    let page = ReportPage(facts).text
    for word in ["<script", "<link", "<img", "src=", "href=", "url(", "@import", "http:", "https:"]
    {
      #expect(!page.contains(word), "\(word)")
    }
    #expect(page.contains("<full>") == false)
  }

  @Test func `names of a model are texts, whatever they are`() throws {
    let name = "A\u{202E}<script>&\"'" + String(repeating: "é", count: 300)
    var facts = try notes()
    facts.plan.passes[0].entities[0].entity = name
    facts.plan.passes[0].entities[0].details = ["</svg><script>"]
    facts.plan.passes[0].name = name
    facts.plan.warnings = ["]]> --> \(name)"]
    let page = ReportPage(facts).text
    #expect(!page.contains("<script"))
    #expect(!page.contains("\u{202E}"))
    #expect(page.contains("A\u{FFFD}&lt;script&gt;&amp;&quot;&#39;é"))
  }

  @Test(arguments: [60, 2_000])
  func `a page is below 500 KB for any number of entities`(count: Int) throws {
    var facts = try notes()
    let entity = try #require(facts.plan.passes[0].entities.first)
    facts.plan.passes[0].entities = (0..<count).map { index in
      var copy = entity
      copy.entity = "Entity\(index)"
      copy.from = "Older\(index)"
      copy.rows = Int64(index * index)
      copy.details = ["attribute number\(index) of a long name is renamed to another"]
      return copy
    }
    facts.measures = record()
    let page = ReportPage(facts).text
    #expect(page.utf8.count < 500_000)
    #expect(page.contains("Entity\(count - 1)") || page.contains("more</th>"))
  }

  @Test func `a run that was over at once says so`() throws {
    var facts = try notes()
    facts.state = .done
    facts.measures = MeasureRecord()
    #expect(ReportPage(facts).text.contains("It was over before much could be measured."))
  }
}

extension String {
  /// How often a text is in this one.
  fileprivate func components(of text: String) -> Int { self.split(separator: text).count - 1 }
}

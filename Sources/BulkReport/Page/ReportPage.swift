internal import BulkPlan
package import BulkCoding

/// A report as a page of HTML: one file without scripts and without anything from elsewhere.
package struct ReportPage {
  private let facts: ReportFacts

  package init(_ facts: ReportFacts) { self.facts = facts }

  /// How every report begins, and nothing else.
  package static let beginning = "<!DOCTYPE html>\n<!-- bulkmigrate report/1 -->\n"

  /// The size limit of a page.
  package static let limit = ByteCount.kibibytes(488)

  /// The whole page.
  ///
  /// Tables behind pictures end early where it would get larger than ``limit``.
  package var text: String {
    for rows in [400, 100, 25] {
      let text = text(tableRows: rows)
      if text.utf8.count <= Self.limit.bytes { return text }
    }
    return text(tableRows: 0)
  }

  private func text(tableRows rows: Int) -> String {
    let sections =
      facts.lossSection(rows: rows) + RejectSection(facts: facts).markup
      + GraphSection(graph: PlanGraph(facts), rows: rows).markup
      + CourseSection(facts: facts, rows: rows).markup + facts.passSection(rows: rows)
      + facts.proofSection(rows: rows) + facts.memorySection + OriginSection(facts: facts).markup
    return Self.text(
      of: facts.plan.destination.store,
      HeadSection(facts: facts).markup + sections
    )
  }

  /// The text of a page about a destination.
  static func text(of destination: String, _ contents: [Markup]) -> String {
    var output = beginning
    document(of: destination, contents).write(to: &output)
    return output + "\n"
  }

  private static func document(of destination: String, _ contents: [Markup]) -> Markup {
    .tag(
      "html",
      ["lang": "en"],
      [
        .tag(
          "head",
          .tag("meta", ["charset": "utf-8"]),
          .tag("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
          .tag("meta", ["name": "color-scheme", "content": "light dark"]),
          .tag("title", "\(FileName.of(destination)) — bulkmigrate"),
          .style(PageStyle.sheet)
        ),
        .tag("body", .tag("main", [:], contents)),
      ]
    )
  }
}

enum FileName {
  /// The last part of a path; the path itself where it has none.
  static func of(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

extension PageTable {
  /// A section of the table alone, with at most that many rows; none for a table without any.
  func section(_ title: String, cut limit: Int = 100) -> [Markup] {
    rows.isEmpty ? [] : [.section(title, [cut(to: limit).markup])]
  }
}

extension Markup {
  /// A section with a heading.
  static func section(_ title: String, _ contents: [Markup]) -> Markup {
    .tag("section", [:], [.tag("h2", title)] + contents)
  }

  /// Contents that are shown on request.
  static func details(_ summary: String, _ contents: [Markup]) -> Markup {
    .tag("details", [:], [.tag("summary", summary)] + contents)
  }

  static func list(_ sentences: [String]) -> Markup {
    .tag("ul", [:], sentences.map { .tag("li", $0) })
  }

  /// A picture, which fills the width; on a small screen it keeps a width at which it can be read, and scrolls.
  static func figure(class style: String? = nil, _ picture: Picture) -> Markup {
    .tag("figure", class: style, picture.markup)
  }

  /// Terms with their descriptions.
  static func terms(_ terms: [(term: String, text: String)]) -> Markup {
    .tag("dl", [:], terms.flatMap { [.tag("dt", $0.term), .tag("dd", $0.text)] })
  }
}

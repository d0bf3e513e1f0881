import BulkCoding
import BulkPreflight

private let valueWidth = 32
private let expressionWidth = 48

extension MappingTrialReport {
  func lines(isMarkdown: Bool) -> [String] {
    var page = Document(isMarkdown: isMarkdown)
    for tried in entityMappings {
      page.addHeading("\(tried.name): \(tried.places)", level: 2)
      for note in tried.notes + tried.errors.map({ "error: \($0)" }) { page.note(note) }
      for object in tried.objects {
        page.addHeading(
          "\(tried.source ?? "") \(object.key)\(object.elementText)",
          level: 3,
          indent: 2
        )
        page.addTable(["BEFORE", "PROPERTY", "AFTER", "BY"], object.values.map(\.row))
      }
      if let course = tried.course { page.say(course, shown: Set(tried.objects.map(\.key)).count) }
    }
    if !omitted.isEmpty {
      let names = omitted.joined(separator: ", ")
      page.addSentence("inferred and not shown: \(names); to see one, pass --entity")
    }
    return page.lines
  }
}

extension TriedMapping {
  fileprivate var places: String { "\(source ?? "nothing") to \(destination ?? "nothing")" }
}

extension TriedObject {
  fileprivate var elementText: String {
    guard let element else { return "" }
    let value = element.value.description.truncated(to: valueWidth)
    return ", element \(element.place) of \(element.count): \(value)"
  }
}

extension TriedValue {
  fileprivate var row: Document.Row {
    let inputs = before.map { $0.path.isEmpty ? "\($0.value)" : "\($0.path) \($0.value)" }
    let value = error == nil ? after?.description ?? "" : "error"
    return Document.Row(
      cells: [
        inputs.joined(separator: ", ").truncated(to: valueWidth), name,
        value.truncated(to: valueWidth), by.truncated(to: expressionWidth),
      ],
      remarks: [error?.description, note].compactMap(\.self)
    )
  }
}

extension ExpressionTrialReport {
  func lines(isMarkdown: Bool) -> [String] {
    var page = Document(isMarkdown: isMarkdown)
    page.addHeading("\(expression): \(type)", level: 2)
    let rows = objects.map { object in
      let value = object.value?.description.truncated(to: expressionWidth) ?? "error"
      return Document.Row(
        cells: ["\(entity) \(object.key)", value, object.type ?? ""],
        remarks: [object.error].compactMap(\.self)
      )
    }
    if !rows.isEmpty { page.addTable(["OBJECT", "VALUE", "TYPE"], rows) }
    page.say(course, shown: objects.count)
    return page.lines
  }
}

extension Document {
  fileprivate mutating func note(_ text: String) {
    addSentence(text, indent: 2, isApart: false)
  }

  fileprivate mutating func say(_ course: SampleCourse, shown: Int) {
    if let failure = course.failure {
      let objects = Self.text(course.failed, "object")
      note("error: --where cannot be evaluated for \(objects), the first is \(failure)")
    }
    let left =
      course.filtered == 0
      ? "" : ", \(course.filtered.grouped) left out by the filter"
    let found = "\(Self.text(Int64(shown), "object")) of \(Self.text(course.rows, "row")) shown"
    addSentence(found + left + Self.text(of: course.end), indent: 2)
  }

  private static func text(of end: SampleEnd) -> String {
    switch end {
    case .count: return ""
    case .all: return "; there are no others"
    case .time:
      return
        "; stopped at its share of \(SampleChoice.secondLimit) seconds; to look further, pass --where"
    case .rows: return "; stopped after \(SampleChoice.rowLimit.grouped) rows"
    }
  }

  private static func text(_ count: Int64, _ noun: String) -> String {
    "\(count.grouped) \(noun)\(count == 1 ? "" : "s")"
  }
}

import BulkModel
import BulkPreflight
import BulkTestSupport
import Testing

@Suite("Trials of expressions") struct TrialTests {
  @Test(arguments: [(Duration.zero, SampleEnd.time, 0), (.seconds(60), .all, 2)])
  func `objects are looked for until the time is over`(
    time: Duration,
    end: SampleEnd,
    count: Int
  ) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("Notes.sqlite")
    let store = TestStore(
      try .of(EntityDescription("Note", [.optional("title")])),
      TestObject("Note", 1),
      TestObject("Note", 2)
    )
    _ = try store.write(to: path)
    var trial = ExpressionTrial(try ValueExpression(format: "title"), of: "Note", in: path)
    trial.choice.time = time
    let report = try trial.run()
    #expect(report.course.end == end)
    #expect(report.objects.count == count)
  }
}

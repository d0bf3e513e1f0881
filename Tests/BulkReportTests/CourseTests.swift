@testable import BulkExecute
import Testing

@testable import BulkReport

@Suite("The course of a run")
struct CourseTests {
  @Test func `rates are those of every slice, and nothing is done between attempts`() {
    var record = record(attempts: 2, samples: 11)
    record.attempts[1].from = 4
    // The second attempt begins again with the rows of a checkpoint.
    record.samples.insert(
      MeasureRecord.Sample(
        seconds: 4,
        rows: 3_000,
        memoryBytes: 1,
        bytesRead: 4_000_000,
        bytesWritten: 2_000_000
      ),
      at: 5
    )
    let rates = record.rates(count: 10) { $0.rows }
    #expect(
      rates.map { $0.rounded() } == [
        1_000, 1_000, 1_000, 1_000, 2_000, 1_000, 1_000, 1_000, 0, 0,
      ]
    )
  }

  @Test func `stages follow one another without a gap`() {
    let spans = StageSpan.all(of: record())
    #expect(spans.map(\.stage) == [.rows, .indexes, .publishing])
    #expect(spans.map(\.from) == [0, 7, 8])
    #expect(spans.map(\.to) == [7, 8, 10])
  }

  @Test func `a record without samples has no rates`() {
    #expect(MeasureRecord().rates(count: 3) { $0.rows } == [0, 0, 0])
    #expect(StageSpan.all(of: MeasureRecord()) == [])
  }
}

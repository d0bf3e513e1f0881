@testable import BulkExecute
import Testing

@testable import BulkMigrate

struct CourseTests {
  private func sample(_ seconds: Double, rows: Int64) -> MeasureRecord.Sample {
    MeasureRecord.Sample(
      seconds: seconds,
      stage: .rows,
      rows: rows,
      memoryBytes: 1,
      bytesRead: 0,
      bytesWritten: 0
    )
  }

  @Test func `rates are those of every slice, and nothing is done between attempts`() {
    var record = record(attempts: 2, samples: 11)
    // The second attempt begins again with the rows of a checkpoint.
    for index in 5..<11 { record.samples[index].rows -= 2_000 }
    let rates = record.rates(count: 10) { $0.rows }
    #expect(
      rates.map { $0.rounded() } == [
        1_000, 1_000, 1_000, 1_000, 0, 1_000, 1_000, 1_000, 0, 0,
      ]
    )
  }

  @Test func `what was done between two samples counts as done evenly`() {
    var record = MeasureRecord()
    record.samples = [self.sample(1, rows: 0), self.sample(5, rows: 800)]
    #expect(record.rates(count: 5) { $0.rows } == [0, 200, 200, 200, 200])
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

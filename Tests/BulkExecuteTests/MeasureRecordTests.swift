import BulkCoding
import Foundation
import Testing

@testable import BulkExecute

@Suite("The record of measures")
struct MeasureRecordTests {
  private func attempt(_ index: Int, from: Double) -> AttemptRecord {
    AttemptRecord(
      identity: "\(index)",
      began: 0,
      from: from,
      memoryLimit: 1 << 20,
      tool: "",
      system: ""
    )
  }

  private func sample(_ seconds: Double, rows: Int64?, memory: Int64 = 1) -> MeasureRecord.Sample {
    MeasureRecord.Sample(
      seconds: seconds,
      stage: .rows,
      rows: rows,
      memoryBytes: memory,
      bytesRead: Int64(seconds) * 10,
      bytesWritten: Int64(seconds)
    )
  }

  @Test func `it is the same after it was written down`() throws {
    var record = MeasureRecord()
    record.attempts = [attempt(0, from: 0)]
    record.samples = [sample(0, rows: nil), sample(1.25, rows: 7, memory: 1 << 40)]
    record.samples[1].stage = .publishing
    record.segments = 3
    let data = try JSONEncoder().encode(record)
    #expect(try JSONDecoder().decode(MeasureRecord.self, from: data) == record)
  }

  @Test func `samples of another version are left out`() throws {
    let text = #"{"attempts":[],"samples":[1,99,1,1,1,1,1,1,5],"segments":0,"segmentBytes":0}"#
    let record = try JSONDecoder().decode(MeasureRecord.self, from: Data(text.utf8))
    #expect(record.samples == [])
  }

  @Test func `it is bounded, and keeps the peak, the last sample and the order`() {
    var record = MeasureRecord()
    record.attempts = [attempt(0, from: 0)]
    for index in 0..<10_000 {
      record.samples.append(
        sample(Double(index), rows: Int64(index), memory: index == 4_321 ? 999 : 1)
      )
      record.thin()
      #expect(record.samples.count <= MeasureRecord.sampleLimit)
    }
    #expect(record.samples.map(\.memoryBytes).max() == 999)
    #expect(record.samples.last?.rows == 9_999)
    #expect(record.samples.map(\.seconds) == record.samples.map(\.seconds).sorted())
  }

  @Test func `a thousand short attempts stay bounded too`() {
    var whole = MeasureRecord()
    for index in 0..<1_000 {
      var own = MeasureRecord()
      own.attempts = [attempt(index, from: 0)]
      own.samples = (0..<4).map { sample(Double($0), rows: Int64($0)) }
      whole = whole.followed(by: own)
    }
    #expect(whole.attempts.count <= MeasureRecord.attemptLimit)
    #expect(whole.samples.count <= MeasureRecord.sampleLimit)
    #expect(whole.attemptCount == 1_000)
    #expect(whole.seconds == 3_000)
    #expect(whole.samples.last?.bytesRead == 30_000)
    #expect(whole.attempts.first?.identity == "0")
    #expect(whole.attempts.last?.identity == "999")
  }

  @Test func `an attempt does not continue what it wrote itself`() {
    let recorder = MeasureRecorder(memoryLimit: .mebibytes(64), command: "bulkmigrate run")
    recorder.resume(after: recorder.record, with: 0)
    #expect(recorder.record.attempts.count == 1)
    var former = MeasureRecord()
    former.attempts = [attempt(7, from: 0)]
    former.samples = [sample(0, rows: 0), sample(5, rows: 50)]
    recorder.resume(after: former, with: 40)
    let record = recorder.record
    #expect(record.attempts.map(\.from) == [0, 5])
    #expect(record.attempts.last?.command == "bulkmigrate run")
    #expect(record.samples[2].seconds == 5)
    #expect(record.samples[2].rows == 40)
  }

  @Test func `a long command line is cut`() {
    let recorder = MeasureRecorder(
      memoryLimit: .mebibytes(64),
      command: String(repeating: "x", count: 100_000)
    )
    #expect(recorder.record.attempts[0].command?.count == 1_000)
  }
}

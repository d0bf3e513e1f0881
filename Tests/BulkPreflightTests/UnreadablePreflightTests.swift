import BulkExecute
import BulkModel
import BulkPlan
import BulkPlatform
import BulkPreflight
import BulkTestSupport
import Foundation
import Testing

@Suite("A preflight of pages that cannot be read") struct UnreadablePreflightTests {
  /// 40 notes of 900 bytes lie on ten leaves, four on each.
  @Test func `a page that cannot be read is a finding, and the rest is looked at`() throws {
    var store = TestStore(try .of(EntityDescription("Note", [.optional("title")])))
    store.objects = (1...40).map { (key: Int64) in
      let title = key == 30 ? .null : AttributeValue.string(String(repeating: "x", count: 900))
      return TestObject("Note", key, ["title": title])
    }
    var page = 0
    let planned = try Planned(
      store,
      to: .of(EntityDescription("Note", [.required("title")])),
      by: [.of("Note", "Note", ["title": "$source.title"])]
    ) { source in
      page = try source.leaves(of: "ZNOTE")[2]
      try source.write(Array(repeating: 0, count: 4096), to: page)
    }
    let report = try planned.report()
    let damaged = report.findings.filter { $0.kind == .damagedPage }
    #expect(
      damaged.map(\.rule)
        == ["page \(page) of table ZNOTE, with the rows of keys 9 to 12 cannot be read"]
    )
    #expect(damaged.map(\.entity) == ["Note"])
    #expect(damaged.map(\.outcome) == [.leftOut])
    #expect(report.counts == ["title: required": 1])
    #expect(report.rejected == 5)
    // The copy that is read instead counts where temporary files lie on the disk of the destination. The lines of five
    // rejected objects take 7,350 bytes: for each a mean row of 896, a quarter of it as text, and 350 beside its values.
    let isShared = DiskSpace(TemporaryFiles.folder).isShared(with: planned.plan.destination.store)
    let size = try Data(contentsOf: URL(fileURLWithPath: planned.plan.source.store)).count
    #expect(report.room?.temporaryBytes == 7350 + (isShared ? Int64(size) : 0))
  }
}

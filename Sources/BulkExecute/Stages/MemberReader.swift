internal import BulkLowering
internal import BulkMapping
internal import BulkStore

/// Reads the objects of to-many relationships that expressions use: as many as fit into memory with their
/// rows; all others are read again on every use.
final class MemberReader {
  private let page: ProgramPage
  private let session: StoreSession
  private let queries: [PreparedQuery]
  /// The bytes of objects in memory at once: those of the rows of a page, and some pages of streamed ones.
  private let share: Int64
  private(set) var failure: (any Error)?
  /// The bytes that objects may still hold beside the rows of the page.
  private var left: Int64 = 0
  /// By query.
  private var idle: [Int: [PreparedQuery]] = [:]
  private let memory: FoldMemory
  private let results: ResultMemory

  /// In bytes.
  private static let objectSize: Int64 = 512

  init(_ page: ProgramPage, _ session: StoreSession, share: Int64) throws {
    self.page = page
    self.session = session
    self.share = share
    memory = FoldMemory(bytes: Int(share / 4))
    results = ResultMemory(limit: Int(share / 2))
    queries = try page.memberQueries.map { try PreparedQuery($0, session) }
  }

  func beginPage() {
    left = share
    beginResults()
  }

  /// Begins to evaluate other rows, whose objects are read.
  func beginResults() { results.beginPage() }

  /// The objects of an owner; if other rows may share the owner, they are streamed, so that they are not
  /// read again where the result is known.
  func members(_ query: Int, _ key: Int64, isShared: Bool) throws -> ProgramPage.Members {
    if isShared { return .tooMany }
    // Even with no bytes left, this must find out whether there are any objects.
    let found = try queries[query].members(of: key, byteLimit: max(left, Self.objectSize))
    guard found.isComplete else { return .tooMany }
    left -= found.bytes
    return .held(found.rows)
  }

  var stream: ObjectStream {
    ObjectStream(
      heldLimit: Int(share / Self.objectSize),
      heldBytes: Int(share),
      results: results,
      memory: memory
    ) { [self] objects, body in
      do {
        return try read(objects, body)
      } catch {
        failure = failure ?? error
        return "its objects cannot be read"
      }
    }
  }

  private func read(
    _ objects: StreamedObjects,
    _ body: ([ObjectValue]) -> Bool
  ) throws -> String? {
    guard let query = page.query(of: objects) else { return nil }
    // The same objects may be requested while they are read, so each use has its own statement.
    let statement =
      try idle[query]?.popLast() ?? PreparedQuery(page.memberQueries[query], session)
    defer { idle[query, default: []].append(statement) }
    var fault: String?
    try statement.eachPage(of: objects.owner, byteLimit: share / 4) { rows in
      let values = try page.objects(of: rows, in: objects, &fault, members: members)
      return fault == nil && body(values)
    }
    return fault.map { "one of its objects holds \($0)" }
  }
}

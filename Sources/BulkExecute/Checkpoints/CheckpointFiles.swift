internal import BulkSupport

/// The checkpoints in a state directory, `checkpoint-<number>`.
///
/// Each has the number after the last, whichever attempt wrote that, and the highest number counts: a
/// process that was overtaken finds its next number taken, a higher one in the folder, or the folder gone.
final class CheckpointFiles {
  static let prefix = "checkpoint-"
  static let receiptName = "finished"
  var limits: RunLimits?
  var numberTaken: () -> Void = {}
  private let folder: DurableDirectory
  /// The transactions of the checkpoints that may exist, by number.
  private var transactions: [Int64: Int64] = [:]
  /// The highest number seen or given out; -1 before any.
  private var last: Int64 = -1
  /// The highest number when the folder was opened; -1 if there was none.
  private(set) var lastFound: Int64 = -1
  /// Whether the last checkpoint, published or resumed from, says that the store only has to be published.
  private(set) var isFinished = false

  init(in folder: DurableDirectory) {
    self.folder = folder
    scan()
    lastFound = last
  }

  var isEmpty: Bool { last < 0 }
  /// Whether there are checkpoints, and all are of other attempts.
  var areOfOthers: Bool { lastFound >= 0 && last == lastFound }
  var isOvertaken: Bool { folder.isGone || areSurpassed }

  /// Whether another attempt has written a later checkpoint, or removed the one that this attempt published last, as one
  /// does that is done.
  var areSurpassed: Bool {
    // A folder that cannot be listed now is told by what is done in it next.
    guard let names = try? folder.entries() else { return false }
    let numbers = Self.numbers(among: names)
    return numbers.contains { $0 > last }
      || last > lastFound && transactions[last] != nil && !numbers.contains(last)
  }

  /// Syncs a checkpoint under another name and publishes it by put-if-absent; returns its number.
  ///
  /// Checkpoints that belong to transactions before the previous one are removed. `write` writes it as part of
  /// a file of the given name, and says whether it has; `nil` for a file of its own.
  /// Throws ``MigrationError/fenced(stateDirectory:)`` if another attempt has taken the number.
  @discardableResult
  func publish(
    _ checkpoint: Checkpoint,
    writing write: ((Checkpoint, String) throws -> Bool)? = nil
  ) throws -> Int64 {
    if isOvertaken { throw MigrationError.fenced(stateDirectory: folder.path) }
    var checkpoint = checkpoint
    checkpoint.number = last + 1
    (checkpoint.limits, checkpoint.writer) = (limits, .current)
    let draft = "draft-\(checkpoint.attempt)"
    do {
      if try write?(checkpoint, draft) != true {
        try folder.write(try encoded(checkpoint), to: draft)
      }
      try folder.publish(draft, as: Self.name(checkpoint.number))
    } catch let error as FileError where error.code == EEXIST || folder.isGone {
      folder.remove(draft)
      throw MigrationError.fenced(stateDirectory: folder.path)
    }
    last = checkpoint.number
    // The number may have been free because the attempt that took it has moved on since.
    if isOvertaken { throw withdrawn() }
    numberTaken()
    transactions[last] = checkpoint.transaction
    isFinished = checkpoint.isFinished
    removeOlder(than: checkpoint)
    return last
  }

  /// Removes the checkpoint that was published last: another attempt has done the work.
  func withdrawn() -> MigrationError {
    folder.remove(Self.name(last))
    return .fenced(stateDirectory: folder.path)
  }

  func resume(from checkpoint: Checkpoint) { isFinished = checkpoint.isFinished }

  /// Makes the last checkpoint the receipt, with its number and limits, if this process has published it and it is that
  /// of a finished migration; returns whether it is so.
  func becomesReceipt() -> Bool {
    let name = Self.name(last)
    guard isFinished, last > lastFound,
      (try? folder.replace(Self.receiptName, with: name)) != nil
    else { return false }
    Failpoint.reached(.receipt)
    return true
  }

  /// Writes the receipt, in the place of one that another attempt may have written.
  func writeReceipt(_ finished: Checkpoint) throws {
    let draft = "draft-\(finished.attempt)"
    try folder.write(try finished.encoded(), to: draft)
    try folder.replace(Self.receiptName, with: draft)
    Failpoint.reached(.receipt)
  }

  private func encoded(_ checkpoint: Checkpoint) throws(FileError) -> Data {
    do {
      return try checkpoint.encoded()
    } catch {
      throw FileError(code: EINVAL, path: folder.path)
    }
  }

  private func removeOlder(than checkpoint: Checkpoint) {
    for (number, transaction) in transactions
    where number < checkpoint.number && isOld(transaction, before: checkpoint) {
      folder.remove(Self.name(number))
      transactions[number] = nil
    }
  }

  private func isOld(_ transaction: Int64, before checkpoint: Checkpoint) -> Bool {
    checkpoint.isFinished || checkpoint.transaction == 0
      || transaction < checkpoint.transaction - 1
  }

  /// The valid checkpoints of a plan, the newest first.
  func all(of plan: String) -> [Checkpoint] {
    scan()
    return transactions.keys.sorted(by: >).compactMap { number in
      guard
        let data = folder.contents(of: Self.name(number)), let checkpoint = Checkpoint(data),
        checkpoint.plan == plan, checkpoint.number == number
      else { return nil }
      transactions[number] = checkpoint.transaction
      return checkpoint
    }
  }

  func remove() {
    for number in transactions.keys { folder.remove(Self.name(number)) }
    transactions = [:]
    isFinished = false
  }

  private func scan() {
    for number in numbers {
      last = max(last, number)
      transactions[number] = transactions[number] ?? 0
    }
  }

  private var numbers: [Int64] { Self.numbers(among: folder.names) }

  static func numbers(among names: [String]) -> [Int64] {
    names.filter { $0.hasPrefix(prefix) }.compactMap { Int64($0.dropFirst(prefix.count)) }
      .filter { (0..<1 << 48).contains($0) }
  }

  private static func name(_ number: Int64) -> String { "\(prefix)\(number)" }
}

internal import BulkStore
internal import Synchronization

/// How much of the source is read to check that it is the one that was planned for.
///
/// One thread reads; another records the position in every checkpoint, so that a resumed attempt does not
/// start again.
final class SourceReading: Sendable {
  private let state: Mutex<StoreReading?>

  /// Begins where an earlier attempt ended, if there was one.
  init(_ former: StoreReading?) { state = Mutex(former) }

  /// How much of it is read by now.
  var reading: StoreReading? { state.withLock { $0 } }

  func note(_ reading: StoreReading) { state.withLock { $0 = reading } }
}

internal import BulkStore
internal import Synchronization

/// How far the source is read to see whether it is the one that was planned for.
///
/// One thread reads, another writes down in every checkpoint how far that one is, so that an attempt that
/// goes on does not begin again.
final class SourceReading: Sendable {
  private let state: Mutex<StoreReading?>

  /// Begins where an earlier attempt has ended, if there was one.
  init(_ former: StoreReading?) { state = Mutex(former) }

  /// How far it is read by now.
  var reading: StoreReading? { state.withLock { $0 } }

  func note(_ reading: StoreReading) { state.withLock { $0 = reading } }
}

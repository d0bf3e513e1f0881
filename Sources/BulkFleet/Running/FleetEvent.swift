package import BulkExecute

package enum FleetEvent {
  /// Other processes request something else than before.
  case requested(RunControl)
  case began(StoreJob)
  /// An attempt has ended; the store may be tried again.
  case attempted(StoreResult)
  /// The last attempt of this run at a store has ended.
  case counted(StoreResult, FleetTally)
}

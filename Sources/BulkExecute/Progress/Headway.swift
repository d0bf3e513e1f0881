/// Whether an attempt has come further than every one before it.
///
/// It has as soon as something is durable that no attempt has made: a transaction with its checkpoint, or a
/// store that is whole.
final class Headway {
  private(set) var isMade = false

  func make() { isMade = true }
}

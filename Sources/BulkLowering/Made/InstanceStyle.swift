/// In which way objects are made, where there is a choice.
package struct InstanceStyle: Sendable {
  /// Whether every key is looked up before it is written, so that what leads nowhere is never written;
  /// otherwise keys that stay are looked at together in the end.
  var looksUpKeys = false
  /// The names of entity mappings in the order in which they make their objects; `nil` for that of the
  /// mapping model.
  var order: [String]?
}

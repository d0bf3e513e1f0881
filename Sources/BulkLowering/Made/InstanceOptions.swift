/// Choices in how objects are made.
package struct InstanceOptions: Sendable {
  /// Whether every key is looked up before it is written, so no dangling key is ever written; otherwise kept
  /// keys are checked together at the end.
  var looksUpKeys = false
  /// The names of entity mappings in the order in which they make objects; `nil` for that of the mapping
  /// model.
  var order: [String]?
}

/// The key-value coding messages that expressions send to objects.
package enum KeyedSelector: String, CaseIterable, Sendable {
  case key = "valueForKey:"
  case keyPath = "valueForKeyPath:"
}

/// The messages of key-value coding that expressions send to objects.
package enum KeyedSelector: String, CaseIterable, Sendable {
  case key = "valueForKey:"
  case keyPath = "valueForKeyPath:"
}

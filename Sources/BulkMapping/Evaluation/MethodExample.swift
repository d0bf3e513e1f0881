/// A call of a method in an expression, and its value as an expression.
package struct MethodExample: Hashable, Sendable {
  package let call: String
  package let value: String
}

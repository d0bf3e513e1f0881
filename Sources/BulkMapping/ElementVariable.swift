/// The variable that stands for an element of the collection for which an entity mapping makes objects.
enum ElementVariable {
  static let name = "element"
}

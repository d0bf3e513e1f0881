/// A number in the head of a page.
struct Figure {
  let name: String
  let value: String
  let note: String
  let style: String

  init(_ name: String, _ value: String, note: String, style: String = "figure") {
    (self.name, self.value, self.note, self.style) = (name, value, note, style)
  }

  /// Figures side by side.
  static func list(_ figures: [Figure]) -> Markup {
    .tag(
      "dl",
      ["class": "figures"],
      figures.map { figure in
        .tag(
          "div",
          class: figure.style,
          .tag("dt", figure.name),
          .tag("dd", figure.value),
          .tag("dd", class: "note", figure.note)
        )
      }
    )
  }
}

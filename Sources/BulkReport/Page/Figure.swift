/// A number in the head of a page.
struct Figure {
  var name: String
  var value: String
  var note: String
  var style = "figure"

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

/// A picture: shapes within a frame, and what they show, as text for those who cannot see them.
struct Picture {
  var title: String
  var width: Double
  var height: Double
  var shapes: [Shape]

  /// The picture as SVG.
  func markup(style: String) -> Markup {
    .tag(
      "svg",
      [
        "class": style, "role": "img", "aria-label": title,
        "viewBox": "0 0 \(Coordinate.text(width)) \(Coordinate.text(height))",
        "width": Coordinate.text(width), "height": Coordinate.text(height),
      ],
      shapes.map(\.markup)
    )
  }
}

/// A number in SVG.
enum Coordinate {
  /// A number with at most one decimal.
  static func text(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
    return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
  }
}

extension Shape {
  var markup: Markup {
    switch self {
    case .rectangle(let frame, let radius, let style):
      .tag(
        "rect",
        [
          "class": style, "x": Coordinate.text(frame.x), "y": Coordinate.text(frame.y),
          "width": Coordinate.text(max(frame.width, 0)),
          "height": Coordinate.text(max(frame.height, 0)), "rx": Coordinate.text(radius),
        ]
      )
    case .line(let points, let style):
      .tag("path", ["class": style, "d": Self.path(points)])
    case .area(let points, let style):
      .tag("path", ["class": style, "d": Self.path(points) + "Z"])
    case .band(let from, let to, let style):
      .tag("path", ["class": style, "d": Self.path(from: from, to: to)])
    case .text(let parts, let point, let anchor, let style):
      .tag(
        "text",
        [
          "class": style, "x": Coordinate.text(point.x), "y": Coordinate.text(point.y),
          "text-anchor": anchor.rawValue,
        ],
        parts.map { .tag("tspan", ["class": $0.style], $0.text) }
      )
    case .named(let name, let shapes):
      .tag("g", [:], [.tag("title", [:], name)] + shapes.map(\.markup))
    }
  }

  private static func path(_ points: [Point]) -> String {
    points.enumerated().map { index, point in
      "\(index == 0 ? "M" : "L")\(Coordinate.text(point.x)) \(Coordinate.text(point.y))"
    }.joined()
  }

  private static func path(from: Edge, to: Edge) -> String {
    let middle = Coordinate.text((from.x + to.x) / 2)
    let (left, right) = (Coordinate.text(from.x), Coordinate.text(to.x))
    let (top, bottom) = (Coordinate.text(from.top), Coordinate.text(from.bottom))
    let (farTop, farBottom) = (Coordinate.text(to.top), Coordinate.text(to.bottom))
    return "M\(left) \(top)C\(middle) \(top) \(middle) \(farTop) \(right) \(farTop)"
      + "L\(right) \(farBottom)C\(middle) \(farBottom) \(middle) \(bottom) \(left) \(bottom)Z"
  }
}

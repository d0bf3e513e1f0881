/// Shapes of pictures, as elements of SVG.
///
/// Their classes say how they look; the style sheet of the page knows colors.
extension Markup {
  /// The side of a text at which its point lies.
  enum Anchor: String { case start, middle, end }

  /// A picture that scales with the page, with its content as text for those who cannot see it.
  static func picture(
    _ title: String,
    width: Double,
    height: Double,
    _ shapes: [Markup]
  ) -> Markup {
    .tag(
      "figure",
      .tag(
        "svg",
        [
          "role": "img", "aria-label": title, "viewBox": "0 0 \(width.svg) \(height.svg)",
          "width": width.svg, "height": height.svg,
        ],
        shapes
      )
    )
  }

  static func rectangle(
    x: Double,
    y: Double,
    width: Double,
    height: Double,
    radius: Double,
    _ style: String
  ) -> Markup {
    .tag(
      "rect",
      [
        "class": style, "x": x.svg, "y": y.svg, "width": max(width, 0).svg,
        "height": max(height, 0).svg, "rx": radius.svg,
      ]
    )
  }

  static func path(_ path: String, _ style: String) -> Markup {
    .tag("path", ["class": style, "d": path])
  }

  static func line(_ points: [Point], _ style: String) -> Markup {
    path(Point.path(points), style)
  }

  static func area(_ points: [Point], downTo base: Double, _ name: String) -> [Markup] {
    guard let first = points.first, let last = points.last else { return [] }
    let outline = [Point(first.x, base)] + points + [Point(last.x, base)]
    return [path(Point.path(outline) + "Z", "\(name)-area"), line(points, "\(name)-line")]
  }

  static func label(
    _ text: String,
    at point: Point,
    _ style: String,
    _ anchor: Anchor = .start
  ) -> Markup {
    .tag(
      "text",
      ["class": style, "x": point.x.svg, "y": point.y.svg, "text-anchor": anchor.rawValue],
      [.text(text)]
    )
  }

  /// A line of HTML in a box, which the browser cuts where it is too long.
  static func line(
    x: Double,
    y: Double,
    width: Double,
    height: Double,
    _ style: String,
    _ parts: [Markup]
  ) -> Markup {
    .tag(
      "foreignObject",
      ["x": x.svg, "y": y.svg, "width": width.svg, "height": height.svg],
      [.tag("div", ["class": style], parts)]
    )
  }

  /// Shapes that share a full name, which a browser shows on request.
  static func named(_ name: String, _ shapes: [Markup]) -> Markup {
    .tag("g", [:], [.tag("title", name)] + shapes)
  }
}

/// A point of a picture; x grows to the right, y downwards.
struct Point: Hashable {
  let x: Double
  let y: Double

  init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }

  static func path(_ points: [Point]) -> String {
    points.enumerated().map { "\($0 == 0 ? "M" : "L")\($1.x.svg) \($1.y.svg)" }.joined()
  }
}

extension Double {
  /// A coordinate, with at most one decimal.
  var svg: String {
    let tenths = Int((self * 10).rounded())
    let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
    return "\(tenths < 0 ? "-" : "")\(whole)\(rest == 0 ? "" : ".\(rest)")"
  }
}

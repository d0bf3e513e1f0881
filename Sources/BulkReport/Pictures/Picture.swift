/// A picture: shapes within a frame, and what they show, as text for those who cannot see them.
struct Picture {
  var title: String
  var width: Double
  var height: Double
  var shapes: [Shape]

  var markup: Markup {
    .tag(
      "svg",
      [
        "role": "img", "aria-label": title,
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
        parts.map { .tag("tspan", class: $0.style, $0.text) }
      )
    case .named(let name, let shapes):
      .tag("g", [:], [.tag("title", name)] + shapes.map(\.markup))
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

/// A point of a picture; x grows to the right, y downwards.
struct Point: Hashable {
  let x: Double
  let y: Double

  init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
}

struct Rectangle: Hashable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double
}

/// A part of a picture.
///
/// Its class says how it looks; the style sheet of the page knows colours.
indirect enum Shape {
  /// The side of a text at which its point lies.
  enum Anchor: String {
    case start
    case middle
    case end
  }

  /// A rectangle with rounded corners.
  case rectangle(Rectangle, radius: Double, style: String)
  case line([Point], style: String)
  case area([Point], style: String)
  /// A band between two upright edges, with soft curves.
  case band(from: Edge, to: Edge, style: String)
  /// A text at a point of its base line: parts, each with a class.
  case text([TextPart], at: Point, Anchor, style: String)
  /// Parts that share a full name, which a browser shows on request.
  case named(String, [Shape])

  struct Edge: Hashable {
    var x: Double
    var top: Double
    var bottom: Double
  }

  /// A part of a line of text.
  struct TextPart: Hashable {
    var text: String
    var style: String
  }

  /// A text of a single part.
  static func text(
    _ text: String,
    at point: Point,
    _ anchor: Anchor = .start,
    style: String
  ) -> Shape {
    .text([TextPart(text: text, style: style)], at: point, anchor, style: style)
  }
}

/// The width of texts in pictures, estimated for the widest of the usual sans-serif fonts.
enum TextWidth {
  /// The width of a text in pixels, at a size of the font in pixels.
  static func of(_ text: String, size: Double) -> Double {
    text.reduce(0) { $0 + share(of: $1) } * size
  }

  /// How much wider bold texts are.
  static let boldness = 1.1

  /// The width of a bold text in pixels, at a size of the font in pixels.
  static func bold(_ text: String, size: Double) -> Double { of(text, size: size * boldness) }

  /// The text cut in its middle so that it fits into some pixels; the ends of a name say most.
  static func fitting(_ text: String, size: Double, in width: Double) -> String {
    guard of(text, size: size) > width else { return text }
    var (head, tail) = (text[...], Substring())
    // Longer names are cut anyway.
    var rest = text.count > 200 ? Array(text.prefix(100) + text.suffix(100)) : Array(text)
    while rest.count > 1 {
      rest.remove(at: rest.count / 2)
      let half = (rest.count + 1) / 2
      (head, tail) = (Substring(rest[..<half]), Substring(rest[half...]))
      if of("\(head)…\(tail)", size: size) <= width { break }
    }
    return "\(head)…\(tail)"
  }

  /// The width of a character by the size of its font.
  private static func share(of character: Character) -> Double {
    guard character.isASCII else {
      guard let scalar = character.unicodeScalars.first else { return 0 }
      return scalar.value >= 0x1100 ? 1.05 : 0.7
    }
    switch character {
    case "i", "j", "l", "I", "|", ".", ",", ":", ";", "'", "!", " ": return 0.33
    case "f", "r", "t", "(", ")", "[", "]", "-", "/": return 0.42
    case "m", "w", "M", "W", "@", "%": return 0.98
    default: return character.isUppercase ? 0.74 : 0.64
    }
  }
}

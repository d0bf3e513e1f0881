/// A point of a picture; x grows to the right, y downwards.
struct Point: Hashable {
  var x: Double
  var y: Double
}

/// A rectangle of a picture.
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
  /// A line from point to point.
  case line([Point], style: String)
  /// An area within points.
  case area([Point], style: String)
  /// A band between two upright edges, with soft curves.
  case band(from: Edge, to: Edge, style: String)
  /// A text at a point of its base line: parts, each with a class.
  case text([TextPart], at: Point, Anchor, style: String)
  /// Parts that share a full name, which a browser shows on request.
  case named(String, [Shape])

  /// An upright edge.
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

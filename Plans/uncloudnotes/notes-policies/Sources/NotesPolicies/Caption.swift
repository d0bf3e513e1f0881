/// The caption of an image: the beginning of its note's text.
public enum Caption {
  /// The most UTF-16 units that a caption has.
  public static let limit = 80

  /// The first 80 UTF-16 units of a text; the whole text where it is shorter.
  ///
  /// A character whose two units lie on both sides of the limit is left out as a whole, so that no half
  /// of it gets into the store.
  public static func text(of body: String) -> String {
    var units = 0
    var result = String.UnicodeScalarView()
    for scalar in body.unicodeScalars {
      units += UTF16.width(scalar)
      if units > limit { break }
      result.append(scalar)
    }
    return String(result)
  }
}

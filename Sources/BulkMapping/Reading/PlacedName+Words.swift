extension PlacedName {
  /// The place of a word in the text, or of the text where the word is not found.
  func place(of word: String) -> MappingPlace {
    let scalars = Array(text.unicodeScalars)
    let wanted = Array(word.unicodeScalars)
    guard !wanted.isEmpty, wanted.count <= scalars.count else { return place.character(0) }
    let isPart = { (scalar: Unicode.Scalar) in
      scalar == "_" || scalar.properties.isXIDContinue
    }
    for start in 0...(scalars.count - wanted.count) {
      let end = start + wanted.count
      guard scalars[start..<end].elementsEqual(wanted) else { continue }
      let isWhole =
        (start == 0 || !isPart(scalars[start - 1]) || !isPart(wanted[0]))
        && (end == scalars.count || !isPart(scalars[end]) || !isPart(wanted[wanted.count - 1]))
      if isWhole { return place.character(start) }
    }
    return place.character(0)
  }
}

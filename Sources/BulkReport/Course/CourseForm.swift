/// The measures of the pictures of a run, in pixels.
struct CourseForm {
  var width: Double
  var fontSize: Double
  /// The space at the left, for the names of values.
  var left: Double
  /// The number of slices in which rates are drawn.
  var slices: Int
  /// The number of moments that are named on the axis of time.
  var ticks: Int

  /// The space at the right.
  static let right = 16.0
  /// The height of the strip of stages.
  static let strip = 26.0
  /// The space above a panel, for its title.
  static let title = 44.0
  /// The space below the last panel, for the names of moments.
  static let axis = 26.0
  /// The height of the panel of memory.
  static let memory = 150.0
  /// The height of any other panel.
  static let panel = 92.0

  /// The form for a screen or a sheet of paper.
  static let wide = CourseForm(width: 1080, fontSize: 13, left: 84, slices: 120, ticks: 10)
  /// The form for a telephone.
  static let narrow = CourseForm(width: 360, fontSize: 12, left: 70, slices: 48, ticks: 4)
}

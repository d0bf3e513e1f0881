/// The version of this program.
public enum ToolVersion {
  /// The version, as the change log names it.
  public static let text = "0.1.0"
}

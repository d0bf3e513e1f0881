/// The interpreter python3, which the tests of policies in Python need.
public enum Python {
  /// Whether it is there.
  public static let isPresent =
    (try? ProcessRun("/usr/bin/env", ["python3", "-c", "import json"], in: "/"))?.status == 0
}

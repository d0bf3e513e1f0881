internal import BulkPlan
internal import Foundation
#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Where the state directory of a migration lies: beside the destination, or where the user wants it.
///
/// One that lies elsewhere is pointed to by a symbolic link beside the destination, so that `resume` and
/// `status` find it without being told.
public struct StateLocation: Hashable, Sendable {
  /// The name of the plan's copy in the folder.
  static let planName = "plan.json"

  /// The folder.
  public let path: String
  private let pointer: String?

  /// The folder of a destination.
  public init(destination: String, stateDirectory: String?) {
    let usual = destination + ".bulkmigrate"
    let pointed = try? FileManager.default.destinationOfSymbolicLink(atPath: usual)
    path = stateDirectory ?? pointed ?? usual
    pointer = path == usual ? nil : usual
  }

  /// A folder that was named, of whatever destination.
  public init(stateDirectory: String) {
    path = stateDirectory
    pointer = nil
  }

  /// The plan that is carried out in the folder.
  public var planPath: String { "\(path)/\(Self.planName)" }

  /// The state directory of a step of a route, by the step's place from 0.
  func state(ofStep index: Int) -> String { "\(path)/step-\(index + 1)" }

  /// The folder in which the folder lies.
  var parent: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

  /// Whether an interrupted migration can be gone on with.
  var hasCheckpoints: Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.contains { $0.hasPrefix("checkpoint-") }
  }

  /// Leaves a link beside the destination, where one can be made.
  func point() {
    guard let pointer else { return }
    let absolute = URL(fileURLWithPath: path).path
    _ = symlink(absolute, pointer)
  }

  /// Removes the link, if it is one.
  func removePointer() {
    guard let pointer, (try? FileManager.default.destinationOfSymbolicLink(atPath: pointer)) != nil
    else { return }
    unlink(pointer)
  }
}

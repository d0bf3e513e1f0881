/// The transformers between which the values of a step go.
package enum KnownTransformers: Sendable {
  /// None; what an expression needs is checked when the plan runs.
  case unchecked
  /// Those that the program has.
  case program(@Sendable (String) -> Bool)
  /// Those that the program had when the step was planned.
  case planned(Set<String>)

  /// Whether values go from this transformer or to it.
  package func converts(_ name: String) -> Bool {
    switch self {
    case .unchecked: false
    case .program(let isKnown): isKnown(name)
    case .planned(let names): names.contains(name)
    }
  }

  /// Whether the program lacks a transformer, as far as is known now.
  package func lacks(_ name: String) -> Bool {
    switch self {
    case .unchecked, .planned: false
    case .program(let isKnown): !isKnown(name)
    }
  }
}

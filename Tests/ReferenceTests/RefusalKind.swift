/// Why a scenario could not be planned, without the names that only it has.
struct RefusalKind: Hashable {
  let text: String

  init(_ reason: String) {
    let lines = reason.split(separator: "\n").prefix(2).map { line in
      String(line)
        .replacing(#/^\S+\.(json|mom|sqlite):[0-9]+:[0-9]+: /#, with: "")
        .replacing(#/\/\S+\//#, with: "")
        .replacing(#/entity mapping [^ ,:]+/#, with: "entity mapping …")
        .replacing(#/\b(Z_[0-9]+)?[pqPQ][0-9]+\b/#, with: "…")
        .replacing(#/\b[0-9]+ entity mappings/#, with: "several entity mappings")
        .replacing(#/\b[A-Z][a-z]+\b(-[A-Z][a-z]+)?(-[0-9]+)?/#, with: "…")
    }
    text = lines.joined(separator: " ")
  }
}

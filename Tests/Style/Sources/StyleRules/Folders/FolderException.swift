/// An arrow between two folders of a module that is allowed although the other direction exists.
struct FolderException {
    let arrow: FolderGraph.Arrow
    /// Why it is allowed.
    let reason: String

    init(_ module: String, from: String, to: String, _ reason: String) {
        arrow = FolderGraph.Arrow(module: module, from: from, to: to)
        self.reason = reason
    }

    /// Tapline's exceptions. The list only gets shorter.
    static let tapline: [FolderException] = []
}

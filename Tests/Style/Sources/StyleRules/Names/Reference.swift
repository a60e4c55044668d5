/// A name that a file uses and may not have declared itself.
struct Reference {
    /// How the name is used.
    enum Form {
        /// As a type: `let list: ListModel`.
        case type
        /// As a type within another one: `Session.Phase`; the outer type as written.
        case nestedType(of: String)
        /// Alone, as a value: `crc32(bytes)`, or `struck` within its own type. A call has labels.
        case bare(labels: [String]?)
        /// After a dot: `list.struck`, `.face`. The text before the dot, where it is a plain name. A call has labels.
        case member(of: String?, labels: [String]?)
    }

    let name: String
    let form: Form
    /// The full names of the types around the use, the innermost last.
    let scope: [String]
    let line: Int
    /// The position in the file, in bytes.
    let position: Int
}

/// A declaration that other files may refer to.
struct Declaration {
    /// What is declared.
    enum Kind {
        /// A struct, enum, class, actor, protocol, type alias or associated type.
        case type
        /// A function, with the labels of its parameters; `_` stands for none.
        case function(labels: [String])
        /// An initialiser, with the labels of its parameters.
        case initializer(labels: [String])
        /// A variable or constant.
        case property
        /// A case of an enum.
        case enumCase
    }

    /// Whose member it is.
    enum Home: Equatable {
        /// Nobody's: it stands at the top of its file.
        case top
        /// Declared with its type; the type's full name.
        case body(of: String)
        /// Added by an extension; the full name of the extended type.
        case addition(to: String)
    }

    /// Who may refer to it.
    enum Reach {
        /// Its own file alone: `private` and `fileprivate`.
        case file
        /// The files of its module.
        case module
        /// The package, or everybody.
        case beyondModule
    }

    let name: String
    let kind: Kind
    let home: Home
    let reach: Reach
    /// The file in which it stands.
    let path: String
    /// The line on which it begins.
    let line: Int
    /// The positions in the file, in bytes, from its first attribute to its end.
    let extent: Range<Int>
    /// What else than a use by name may need it.
    let marks: Set<Mark>

    /// A reason for which a declaration may be needed although no name refers to it.
    enum Mark {
        /// It replaces what a superclass declares, which is who calls it.
        case override
        /// An attribute gives it away: `@main`, `@_cdecl`, a property wrapper.
        case attributed
    }

    /// The full name of the type whose member it is; nil at the top of a file.
    var owner: String? {
        switch home {
        case .top: nil
        case .body(let owner), .addition(let owner): owner
        }
    }

    /// The name with the types around it, and with the labels of an initialiser: `Session.Phase.idle`, `Row.init(at:)`.
    var fullName: String {
        let own =
            switch kind {
            case .type, .property, .enumCase, .function: name
            case .initializer(let labels): "init(" + labels.map { $0 + ":" }.joined() + ")"
            }
        return (owner.map { $0 + "." } ?? "") + own
    }

    /// Whether it is a type.
    var isType: Bool {
        switch kind {
        case .type: true
        case .function, .initializer, .property, .enumCase: false
        }
    }

    /// Whether a call with these labels may be a call of it. Parameters with default values and trailing closures have
    /// no label in a call, so the labels of the call have to be among the declared ones, in order.
    func matches(call labels: [String]?) -> Bool {
        switch kind {
        case .type, .property, .enumCase: return true
        case .function(let declared), .initializer(let declared):
            guard let labels else { return true }
            var rest = declared[...]
            for label in labels {
                guard let found = rest.firstIndex(of: label) else { return false }
                rest = rest[(found + 1)...]
            }
            return true
        }
    }
}

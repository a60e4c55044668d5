import Watch

/// What a handler executes that lies in none of its stages: its own `runImmediate` and `runDeferred`, and what says which stages it
/// has. Nothing where its image does not report when that begins and returns.
package struct HandlerCode: Sendable, Equatable {
    /// What the wearer waited for: from a touch until the panel was updated.
    package private(set) var immediate = ExecutedCode.zero
    /// The rest.
    package private(set) var deferred = ExecutedCode.zero

    private var place = Place.elsewhere
    private var wait = Wait.none

    /// Whose instructions are executed.
    private indirect enum Place: Sendable, Equatable {
        /// The runtime's.
        case elsewhere
        /// The handler's own.
        case handler(calledFrom: Place)
        /// A stage's.
        case stage(calledFrom: Place)

        var caller: Place {
            switch self {
            case .elsewhere: .elsewhere
            case .handler(let caller), .stage(let caller): caller
            }
        }
    }

    /// Whether a wearer waits for the panel.
    private enum Wait: Sendable {
        case none
        case forUpdate
    }

    package init() {}

    /// Enters what was executed up to a call.
    mutating func enter(_ code: ExecutedCode, upTo call: LabCall) {
        if case .handler = place {
            switch wait {
            case .none: deferred += code
            case .forUpdate: immediate += code
            }
        }
        switch call {
        case .handler(.begins): place = .handler(calledFrom: place)
        case .board(.trace(.stageBegan)): place = .stage(calledFrom: place)
        case .handler(.returns), .board(.trace(.stageEnded)): place = place.caller
        case .board(.trace(.mark(.touch, _, _))): wait = .forUpdate
        case .board(.trace(.mark(.updated, _, _))): wait = .none
        case .settings, .started, .worked, .idle, .description, .name, .exception, .board: break
        }
    }

    /// What was executed since an earlier moment.
    package func since(_ earlier: HandlerCode) -> HandlerCode {
        var rest = HandlerCode()
        rest.immediate = immediate - earlier.immediate
        rest.deferred = deferred - earlier.deferred
        return rest
    }
}

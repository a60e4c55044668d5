/// What a program executes for the messages, the buttons and the files of its handler, each time that it does something of that.
package struct MessageCode: Sendable, Equatable {
    /// What was executed each time, by `MessageTitle`. What the board was asked for meanwhile is not in it.
    package private(set) var runs: [String: [ExecutedCode]] = [:]
    private var place = Place.elsewhere

    private enum Place: Sendable, Equatable {
        case elsewhere
        /// This has begun, and has executed so much.
        case within(String, ExecutedCode)
    }

    package init() {}

    /// What has begun and not ended; nil for nothing.
    package var running: String? {
        switch place {
        case .elsewhere: nil
        case .within(let title, _): title
        }
    }

    /// Enters what was executed up to a call.
    ///
    /// - Throws: `.unbalanced` where something has ended that has not begun, or the other way round.
    mutating func enter(_ code: ExecutedCode, upTo call: LabCall) throws(LabImageError) {
        if case .within(let title, let before) = place { place = .within(title, before + code) }
        switch call {
        case .messageWork(let title, .begins):
            guard case .elsewhere = place else { throw .unbalanced }
            place = .within(title, .zero)
        case .messageWork(let title, .returns):
            guard case .within(title, let code) = place else { throw .unbalanced }
            runs[title, default: []].append(code)
            place = .elsewhere
        case .worked, .idle, .started:
            guard case .elsewhere = place else { throw .unbalanced }
        case .settings, .description, .name, .exception, .handler, .board: break
        }
    }
}

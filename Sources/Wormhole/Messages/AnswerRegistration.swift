/// That somebody answers a name. Dropping it does not end it.
public struct AnswerRegistration: Sendable {
    private let ending: @Sendable () -> Void

    init(_ ending: @escaping @Sendable () -> Void) {
        self.ending = ending
    }

    /// Nobody answers the name from now on. A second call does nothing.
    public func end() { ending() }
}

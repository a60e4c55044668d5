import Synchronization
import WatchLink

final class Answerers: Sendable {
    /// A function that answers the messages under one name. It starts on the endpoint's own thread, which serves every link, so
    /// it must not block there.
    typealias Answerer = nonisolated(nonsending) @Sendable ([UInt8], PeerIdentity) async -> AnswerOutcome

    private final class Entry: Sendable {
        let answerer: Answerer

        init(_ answerer: @escaping Answerer) { self.answerer = answerer }
    }

    private let entries = Mutex<[MessageName: Entry]>([:])

    subscript(_ name: MessageName) -> Answerer? { entries.withLock { $0[name]?.answerer } }

    func register(_ name: MessageName, _ answerer: @escaping Answerer) throws(WormholeError) -> AnswerRegistration {
        let entry = Entry(answerer)
        let isFree = entries.withLock { entries in
            guard entries[name] == nil else { return false }
            entries[name] = entry
            return true
        }
        guard isFree else { throw .answered(name) }
        return AnswerRegistration { [weak self, weak entry] in self?.end(name, entry) }
    }

    private func end(_ name: MessageName, _ entry: Entry?) {
        // The release of `entry` may run code of the program, so the caller holds `entry` until the lock is free.
        entries.withLock { if let entry, $0[name] === entry { $0[name] = nil } }
    }
}

/// The registration of a function that answers the messages under one name. The function stays registered until `end()`, even
/// if this value is dropped.
public struct AnswerRegistration: Sendable {
    let unregister: @Sendable () -> Void

    /// Removes the registered function. A second call does nothing.
    public func end() { unregister() }
}

import Synchronization
import WatchLink

/// Who answers which names.
final class Answerers: Sendable {
    /// Answers an encoded message. It begins on the link that it arrived on, without a switch of threads.
    typealias Answerer = nonisolated(nonsending) @Sendable ([UInt8], PeerIdentity) async -> AnswerOutcome

    private struct Entry: Sendable {
        let number: UInt64
        let answerer: Answerer
    }

    private struct Entries: Sendable {
        var next: UInt64 = 0
        var byName: [MessageName: Entry] = [:]
    }

    private let entries = Mutex(Entries())

    subscript(_ name: MessageName) -> Answerer? {
        entries.withLock { $0.byName[name]?.answerer }
    }

    /// - Throws: `.answered` where the name has one.
    func register(_ name: MessageName, _ answerer: @escaping Answerer) throws(WormholeError) -> AnswerRegistration {
        let number: UInt64? = entries.withLock { entries in
            guard entries.byName[name] == nil else { return nil }
            entries.next += 1
            entries.byName[name] = Entry(number: entries.next, answerer: answerer)
            return entries.next
        }
        guard let number else { throw .answered(name) }
        return AnswerRegistration { [weak self] in self?.end(name, number) }
    }

    private func end(_ name: MessageName, _ number: UInt64) {
        // Removed under the lock and released outside of it.
        let gone: Entry? = entries.withLock { entries in
            guard entries.byName[name]?.number == number else { return nil }
            return entries.byName.removeValue(forKey: name)
        }
        withExtendedLifetime(gone) {}
    }
}

/// That somebody answers a name. Dropping it does not end it.
public struct AnswerRegistration: Sendable {
    private let ending: @Sendable () -> Void

    init(_ ending: @escaping @Sendable () -> Void) {
        self.ending = ending
    }

    /// Nobody answers the name from now on. A second call does nothing.
    public func end() { ending() }
}

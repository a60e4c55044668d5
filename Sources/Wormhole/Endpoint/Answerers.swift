import Synchronization
import WatchLink

/// The closures that answer interactive messages, by message name.
final class Answerers: Sendable {
    /// Answers an encoded message. It starts on the thread of the link that the message arrived on.
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

    /// - Throws: `.answered` if the name has an answerer already.
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
        // Releases the entry outside of the lock, because that may run code of the program.
        let gone: Entry? = entries.withLock { entries in
            guard entries.byName[name]?.number == number else { return nil }
            return entries.byName.removeValue(forKey: name)
        }
        withExtendedLifetime(gone) {}
    }
}

/// The registration of an answerer. If this value is dropped, the answerer stays registered.
public struct AnswerRegistration: Sendable {
    private let ending: @Sendable () -> Void

    init(_ ending: @escaping @Sendable () -> Void) {
        self.ending = ending
    }

    /// Removes the answerer of the name. A second call does nothing.
    public func end() { ending() }
}

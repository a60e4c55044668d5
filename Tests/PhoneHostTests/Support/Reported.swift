import Synchronization

@testable import PhoneHost

/// The events that a message store has reported.
final class Reported: Sendable {
    private let events = Mutex<[MessageEvent]>([])

    var all: [MessageEvent] { events.withLock(\.self) }

    func append(_ event: MessageEvent) {
        events.withLock { $0.append(event) }
    }
}

import Synchronization

@testable import PhoneHost

/// The events that a message store has reported.
final class Reported: Sendable {
    private let events = Mutex<[PhoneEvent]>([])

    var all: [PhoneEvent] { events.withLock(\.self) }

    func append(_ event: PhoneEvent) {
        events.withLock { $0.append(event) }
    }
}

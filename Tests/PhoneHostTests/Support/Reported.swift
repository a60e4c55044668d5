import Synchronization

@testable import PhoneHost

/// The events that a message store has reported.
final class Reported: Sendable {
    private let events = Mutex<[PhoneMessageStore.Event]>([])

    var all: [PhoneMessageStore.Event] { events.withLock(\.self) }

    func append(_ event: PhoneMessageStore.Event) {
        events.withLock { $0.append(event) }
    }
}

import Synchronization

@testable import PhoneHost

/// The events that a message store has reported.
final class Reported: Sendable {
    private let events = Mutex<[WatchEvent]>([])

    var all: [WatchEvent] { events.withLock(\.self) }

    func append(_ event: WatchEvent) {
        events.withLock { $0.append(event) }
    }
}

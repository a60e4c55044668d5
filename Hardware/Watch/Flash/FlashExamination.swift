import WatchLink

/// Reads a flash chip with the code that a starting watch uses. This code may write to the chip, for example if the chip has no
/// log, so the caller must pass a copy. The firmware does not contain this type.
package struct FlashExamination: ~Copyable {
    private var arena: MemoryArena

    package static var memorySize: Int { Journal.memorySize + WatchData.memorySize + 256 }

    /// `memory` has at least `memorySize` bytes, and is aligned to 16. Until `examine` returns, it must stay valid and have no
    /// other user.
    package init(memory: UnsafeMutableRawBufferPointer) {
        arena = MemoryArena(memory)
    }

    /// Reads the chip, and passes its items and waiting messages to `observer`. Throws `.flash` or `.unsuitableGeometry`.
    package consuming func examine<Observer: FlashObserver>(
        _ flash: inout some NORFlash & ~Copyable, for observer: Observer
    ) throws(JournalError) -> (findings: FlashFindings, observer: Observer) {
        var journal = Journal(arena: &arena)
        var client = ObservedData(data: WatchData(arena: &arena), observer: observer)
        let report = try journal.mount(flash: &flash, replay: &client)
        client.passWaiting()
        let findings = FlashFindings(
            report: report, end: journal.active?.end ?? 0, bankSize: journal.layout.bankSize, data: client.data)
        return (findings, client.observer)
    }
}

package protocol FlashObserver {
    /// Called after each record, for every item that is then on the list.
    mutating func sawItem(_ id: ItemID, _ title: ItemTitle)

    /// Called after the last record, for each message that waits for the phone, oldest first.
    mutating func sawWaiting(_ message: OutboxMessage)
}

package struct FlashFindings: Sendable {
    package let origin: MountOrigin
    package let end: Int
    package let bankSize: Int
    /// The number of damaged places in the log. At each, one or more records are lost.
    package let damaged: Int
    package let unreadable: Int
    package let isComplete: Bool
    package let identity: UInt64?
    package let listName: ItemTitle
    package let rows: Int
    /// The number of open items, including those that the watch does not store.
    package let remaining: UInt32

    init(report: MountReport, end: Int, bankSize: Int, data: borrowing WatchData) {
        origin = report.origin
        self.end = end
        self.bankSize = bankSize
        damaged = report.damaged
        unreadable = report.unreadable
        isComplete = report.isComplete
        identity = data.identity
        listName = data.title
        rows = data.items.count
        remaining = data.remaining
    }
}

private struct ObservedData<Observer: FlashObserver>: JournalClient, ~Copyable {
    var data: WatchData
    var observer: Observer

    mutating func replay(_ kind: RecordKind, payload: Span<UInt8>) -> ReplayOutcome {
        let outcome = data.replay(kind, payload: payload)
        for row in 0..<data.items.count { observer.sawItem(data.items[row].id, data.items[row].title) }
        return outcome
    }

    /// Returns nil, because a mount writes no snapshot.
    mutating func nextSnapshotRecord(
        cursor: inout SnapshotCursor, into payload: inout MutableSpan<UInt8>
    ) -> SnapshotRecord? { nil }

    mutating func passWaiting() {
        var sequence = data.outbox.acknowledgedSequence
        for _ in 0..<data.outbox.count {
            sequence &+= 1
            if let waiting = data.outbox.message(sequence) { observer.sawWaiting(waiting.message) }
        }
    }
}

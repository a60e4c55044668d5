import Synchronization
import Testing
import WatchLink
import Wormhole

@testable import soak

extension PlantedBug<DeliveryScenario> {
    static var all: [PlantedBug] {
        [
            PlantedBug("a queued message is applied twice", breaking: .queuedOnce, seed: 9) {
                $0.store = { WrongStore($0, .appliesTwice) }
            },
            PlantedBug("a queued message is sent again in place of the next", breaking: .queuedOnce, seed: 4) {
                $0.store = { WrongStore($0, .repeatsMessages) }
            },
            PlantedBug(
                "every fifth queued message is acknowledged and not applied", breaking: .queuedOnce, seed: 3
            ) {
                $0.store = { WrongStore($0, .dropsMessages) }
            },
            PlantedBug("a queued message is acknowledged before it is stored", breaking: .queuedOnce, seed: 9) {
                $0.store = { WrongStore($0, .acknowledgesEarly) }
            },
            PlantedBug("the disks do not sync", breaking: .queuedOnce, seed: 252) { $0.syncs = false },
            PlantedBug("the budget of a day is never spent", breaking: .budgetHolds, seed: 36) {
                $0.store = { WrongStore($0, .forgetsBudget) }
            },
            PlantedBug(
                "every third latest value is acknowledged and not applied", breaking: .newestWins, seed: 13
            ) {
                $0.store = { WrongStore($0, .dropsValues) }
            },
            PlantedBug("a value is not cleared at the other end", breaking: .newestWins, seed: 67) {
                $0.store = { WrongStore($0, .keepsCleared) }
            },
            PlantedBug("notifications are lost", breaking: .newestWins, seed: 7) {
                // An interactive frame (0x12) whose message ends with a CBOR null (0xF6): PROTOCOL.md, "Interactive".
                $0.tamper = { _, datagram in datagram.first == 0x12 && datagram.last == 0xF6 ? [] : [datagram] }
            },
            PlantedBug("a reply is given to the next question", breaking: .ownReply, seed: 4) {
                let replies = SwappedReplies()
                $0.tamper = { end, datagram in [replies.tamper(datagram, to: end)] }
            },
            PlantedBug("a byte of a file is another", breaking: .fileIsWhole, seed: 24) {
                $0.tamper = { _, datagram in
                    guard datagram.count > 100, datagram[0] == 0x15, datagram[6] == 0x02 else { return [datagram] }
                    var wrong = datagram
                    wrong[50] ^= 1
                    return [wrong]
                }
            },
        ]
    }
}

/// Replaces the value of each reply by the value of the previous reply to the same end.
private final class SwappedReplies {
    private var last: [LinkEnd: ArraySlice<UInt8>] = [:]

    func tamper(_ datagram: [UInt8], to end: LinkEnd) -> [UInt8] {
        // A reply frame has the kind 0x13, the flags, the number and the status in 7 bytes. The value follows.
        guard datagram.first == 0x13, datagram.count > 7 else { return datagram }
        let value = datagram[7...]
        defer { last[end] = value }
        return Array(datagram[..<7]) + (last[end] ?? value)
    }
}

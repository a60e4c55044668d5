import Testing
import WatchLink

@testable import BluetoothBridge

struct PairingModeTests {
    private func at(_ seconds: UInt32) -> WatchLink.Instant { .start + .seconds(seconds) }

    private func asks(_ mode: inout PairingMode, _ seconds: UInt32) -> Bool { mode.asks(at: at(seconds)) }

    private func fail(_ mode: inout PairingMode, _ seconds: UInt32) -> WatchLink.Instant? {
        mode.failed(at: at(seconds))
    }

    @Test func `No phone can pair before the owner says so, and two minutes later none can again`() {
        var mode = PairingMode()
        #expect(!mode.isPairable)
        #expect(!asks(&mode, 0))
        #expect(fail(&mode, 0) == nil)
        mode.open(at: at(10))
        mode.advance(to: at(129))
        #expect(mode.isPairable)
        mode.advance(to: at(130))
        #expect(!mode.isPairable)
        #expect(mode.isClosed)
        #expect(!asks(&mode, 131))
    }

    @Test func `One phone is let in for each opening`() {
        var mode = PairingMode()
        mode.open(at: at(0))
        #expect(asks(&mode, 5))
        mode.succeeded()
        #expect(mode.isClosed)
        #expect(!asks(&mode, 6))
    }

    @Test func `While the wearer is asked about one phone, no other is asked about`() {
        var mode = PairingMode()
        mode.open(at: at(0))
        #expect(asks(&mode, 1))
        #expect(!asks(&mode, 2))
        mode.advance(to: at(500))
        #expect(mode.isPairable, "the question goes on behind the mode's end")
        mode.failed(at: at(501))
        #expect(mode.isClosed)
    }

    @Test func `The pause after a failure doubles with each, up to minutes`() {
        var mode = PairingMode()
        var pauses: [UInt32] = []
        for hour in 0..<10 as Range<UInt32> {
            let now = at(3_600 * hour)
            mode.open(at: now)
            // The mode is over before the longest pauses are.
            pauses.append(mode.failed(at: now).map { ($0 - now).wholeSeconds } ?? 0)
        }
        #expect(pauses == [2, 4, 8, 16, 32, 64, 0, 0, 0, 0])
    }

    @Test func `A device that goes on guessing has a handful of attempts for each opening, and less for the next`() {
        var mode = PairingMode()
        var counts: [Int] = []
        for opening in 0..<3 as Range<UInt32> {
            let start = 1_000 * opening
            mode.open(at: at(start))
            var count = 0
            // 16 times a second, as an attacker did.
            for tick in 0..<(16 * 200) as Range<UInt32> {
                let now = at(start) + .milliseconds(tick * 1_000 / 16)
                mode.advance(to: now)
                guard mode.isPairable else { continue }
                count += 1
                mode.failed(at: now)
            }
            counts.append(count)
        }
        #expect(counts == [6, 1, 1])
    }

    @Test func `After a question without a bond the next comes a minute after it at the earliest`() {
        var mode = PairingMode()
        mode.open(at: at(0))
        #expect(asks(&mode, 1))
        #expect(fail(&mode, 3) == at(61))
        #expect(!mode.isPairable)
        #expect(!asks(&mode, 60))
        #expect(asks(&mode, 61))
    }

    @Test func `The owner ends a pause by opening the mode, and the next pause is no shorter for that`() {
        var mode = PairingMode()
        mode.open(at: at(0))
        #expect(asks(&mode, 1))
        mode.failed(at: at(3))
        mode.open(at: at(4))
        #expect(mode.isPairable)
        #expect(fail(&mode, 5) == at(9))
        mode.open(at: at(6))
        mode.succeeded()
        mode.open(at: at(7))
        #expect(fail(&mode, 8) == at(10), "a bond forgets the failures")
    }
}

import TestSupport
import Testing
import WatchLink

@testable import PhoneHost

@Suite struct TripsTests {
    private func phone(_ number: Int64, _ title: String, at time: Int64) -> OrderEvent {
        .checked(CheckOff(number: number, item: UInt32(number), title: title, arrival: time, source: .phone))
    }

    private func wrist(
        _ number: Int64, _ title: String, at time: Int64?, arrival: Int64, sequence: UInt32, watch: UInt64 = 1
    ) -> OrderEvent {
        .checked(
            CheckOff(
                number: number, item: UInt32(number), title: title, arrival: arrival,
                source: .watch(CheckOff.Tap(watch: watch, run: 9, sequence: sequence, time: time))))
    }

    private func lesson(_ events: [OrderEvent]) -> [String]? {
        var memory = OrderMemory()
        for event in events { memory.take(event) }
        return memory.trip.lesson
    }

    @Test func `a run of fewer than three teaches nothing`() {
        #expect(lesson([phone(1, "A", at: 0), phone(2, "B", at: 60)]) == nil)
    }

    @Test func `fifteen minutes without a check-off end a trip`() {
        let three = [phone(1, "A", at: 0), phone(2, "B", at: 60), phone(3, "C", at: 960)]
        #expect(lesson(three) == ["A", "B", "C"])
        #expect(lesson(three + [phone(4, "D", at: 1_861)]) == nil)
    }

    @Test func `an item that is put back withdraws its votes, and repeats are ignored`() {
        let events = [
            phone(1, "A", at: 0), phone(2, "B", at: 1), phone(3, "C", at: 2), phone(4, "D", at: 3),
            .unchecked(number: 5, item: 2, at: 4), phone(6, "a", at: 5),
        ]
        #expect(lesson(events) == ["A", "C", "D"])
    }

    @Test func `an item that is put back soon after taps out of reach have arrived withdraws its votes`() {
        let taps = ["A", "B", "C", "D"].enumerated().map { index, title in
            wrist(Int64(index + 1), title, at: 1_000, arrival: 5_000, sequence: UInt32(index + 1))
        }
        #expect(lesson(taps + [.unchecked(number: 5, item: 2, at: 5_900)]) == ["A", "C", "D"])
        #expect(lesson(taps + [.unchecked(number: 5, item: 2, at: 5_901)]) == ["A", "B", "C", "D"])
    }

    @Test func `an item that is put back after the trip is wanted once more, and withdraws nothing`() {
        let events = [
            phone(1, "A", at: 0), phone(2, "B", at: 1), phone(3, "C", at: 2), .unchecked(number: 4, item: 2, at: 903),
        ]
        #expect(lesson(events) == ["A", "B", "C"])
    }

    @Test func `taps made out of reach count in the order of the wrist`() {
        let events = [
            phone(1, "A", at: 1_000), phone(2, "C", at: 1_100), phone(3, "E", at: 1_200),
            wrist(4, "B", at: 1_050, arrival: 5_000, sequence: 1),
            wrist(5, "D", at: 1_150, arrival: 5_000, sequence: 2),
        ]
        #expect(lesson(events) == ["A", "B", "C", "D", "E"])
    }

    @Test func `the order of a wrist's taps stays when its clock goes back, or is ahead, or is not known`() {
        for times: [Int64?] in [[1_000, 1_010, 200, 210], [1_000, 9_010, 9_020, 1_030], [nil, nil, nil, nil]] {
            let events = times.enumerated().map { index, time in
                wrist(
                    Int64(index + 1), "\(index)", at: time, arrival: 1_000 + Int64(index) * 10,
                    sequence: UInt32(index + 1))
            }
            #expect(lesson(events) == ["0", "1", "2", "3"], "\(times)")
        }
    }

    @Test func `clocks that jump break nothing, and a memory told piece by piece is the same as one told at once`()
        throws
    {
        try withSeeds(20, "jumping clocks") { generator, seed in
            var events: [OrderEvent] = []
            var clock: Int64 = 1_700_000_000
            for number in 1...400 {
                clock += Int64.random(in: 0...120, using: &generator)
                if generator.once(in: 25) { clock += Int64.random(in: 900...400_000, using: &generator) }
                if generator.once(in: 60) { clock -= Int64.random(in: 0...4_000_000_000, using: &generator) }
                let title = "\(Int.random(in: 0..<60, using: &generator))"
                if generator.once(in: 12) {
                    events.append(.unchecked(number: Int64(number), item: UInt32(max(1, number - 2)), at: clock))
                } else if generator.once(in: 2) {
                    let time = generator.once(in: 9) ? Int64.random(in: 0...4_000_000_000, using: &generator) : clock
                    events.append(
                        wrist(
                            Int64(number), title, at: time, arrival: clock, sequence: UInt32(number),
                            watch: UInt64(number % 2)))
                } else {
                    events.append(phone(Int64(number), title, at: clock))
                }
            }
            var whole = OrderMemory()
            for event in events { whole.take(event) }
            var pieces: OrderMemory? = OrderMemory()
            for event in events {
                pieces?.take(event)
                if generator.once(in: 10) { pieces = try pieces.flatMap { OrderMemory(bytes: try $0.bytes) } }
            }
            #expect(pieces == whole, "seed \(seed)")
            var again = whole.beforeNewestTrip
            for event in events where event.number > again.latest { again.take(event) }
            #expect(again == whole, "seed \(seed)")
        }
    }

    @Test func `bytes with any bit wrong are not read`() throws {
        var memory = OrderMemory()
        for number in 1...5 { memory.take(phone(Int64(number), "Item \(number)", at: Int64(number))) }
        let bytes = try memory.bytes
        #expect(OrderMemory(bytes: bytes) == memory)
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 1 << (index % 8)
            #expect(OrderMemory(bytes: damaged) == nil)
            #expect(OrderMemory(bytes: Array(bytes[..<index])) == nil)
        }
    }
}

import Glibc
import TestDoubles
import Testing
import Watch
import WatchLink

@testable import DeviceModel

@Suite struct InMemoryRadioTests {
    @Test func `A new pair is not connected and takes nothing`() throws {
        let (watch, phone) = try InMemoryRadio.pair()
        #expect(watch.state == .down)
        #expect(phone.state == .down)
        #expect(watch.send([1]) == .refused)
    }

    @Test func `Datagrams arrive whole and in order, in both directions`() throws {
        let (watch, phone) = try InMemoryRadio.pair()
        phone.connect()
        for number in 0..<10 as Range<UInt8> {
            watch.send([number, 0xAA])
            phone.send([number])
        }
        for number in 0..<10 as Range<UInt8> {
            #expect(phone.receive() == [number, 0xAA])
            #expect(watch.receive() == [number])
        }
        #expect(phone.receive() == nil)
        #expect(watch.receive() == nil)
    }

    @Test func `Every connection has a number of its own`() throws {
        let (watch, phone) = try InMemoryRadio.pair(maximumSDU: 100)
        watch.connect()
        #expect(phone.state == .up(connection: 1, maximumSDU: 100))
        watch.connect()
        #expect(phone.state == .up(connection: 2, maximumSDU: 100))
    }

    @Test func `A cut loses what was under way and lasts until somebody connects`() throws {
        let (watch, phone) = try InMemoryRadio.pair()
        watch.connect()
        watch.send([1])
        phone.cut()
        #expect(watch.state == .down)
        #expect(phone.receive() == nil)
        watch.connect()
        #expect(phone.receive() == nil)
        #expect(watch.send([2]) == .sent)
        #expect(phone.receive() == [2])
    }

    @Test func `What is too long is refused, what is too much is put off`() throws {
        let (watch, phone) = try InMemoryRadio.pair(maximumSDU: 4, capacity: 2)
        watch.connect()
        #expect(watch.send([1, 2, 3, 4, 5]) == .refused)
        #expect(watch.send([1]) == .sent)
        #expect(watch.send([2]) == .sent)
        #expect(watch.send([3]) == .busy)
        #expect(phone.receive() == [1])
        #expect(watch.send([3]) == .sent)
    }

    @Test func `A datagram longer than the buffer is cut and its full length returned`() throws {
        let (watch, phone) = try InMemoryRadio.pair()
        watch.connect()
        phone.send([1, 2, 3, 4])
        var buffer: [UInt8] = [0, 0]
        var span = buffer.mutableSpan
        #expect(watch.receive(into: &span) == 4)
        #expect(buffer == [1, 2])
    }

    @Test func `Its descriptor is readable while a datagram waits`() throws {
        let (watch, phone) = try InMemoryRadio.pair()
        watch.connect()
        watch.service(at: .start)
        #expect(!isReadable(watch))
        phone.send([1])
        #expect(isReadable(watch))
        watch.service(at: .start)
        #expect(isReadable(watch))
        _ = watch.receive()
        watch.service(at: .start)
        #expect(!isReadable(watch))
        phone.cut()
        #expect(isReadable(watch))
    }

    @Test func `Whoever was told that there is no room is woken when there is`() throws {
        let (watch, phone) = try InMemoryRadio.pair(capacity: 1)
        watch.connect()
        watch.send([1])
        #expect(watch.send([2]) == .busy)
        watch.service(at: .start)
        #expect(!isReadable(watch))
        _ = phone.receive()
        #expect(isReadable(watch))
    }

    @Test func `What a slow phone says is heard later, and at once when it is quick again`() throws {
        let (watch, phone) = try InMemoryRadio.pair()
        watch.connect()
        watch.phoneDelay = .milliseconds(300)
        phone.send([1])
        watch.service(at: Instant(microseconds: 1_000))
        #expect(watch.receive() == nil)
        #expect(!isReadable(watch))
        #expect(watch.interest.wakeAt == Instant(microseconds: 301_000))
        watch.send([9])
        #expect(phone.receive() == [9], "the other way is as quick as ever")
        watch.service(at: Instant(microseconds: 300_999))
        #expect(watch.receive() == nil)
        watch.service(at: Instant(microseconds: 301_000))
        #expect(watch.receive() == [1])
        phone.send([2])
        watch.service(at: Instant(microseconds: 400_000))
        #expect(watch.receive() == nil)
        phone.phoneDelay = .zero
        #expect(isReadable(watch))
        #expect(watch.receive() == [2])
        #expect(watch.interest.wakeAt == nil)
    }

    private func isReadable(_ radio: InMemoryRadio) -> Bool {
        switch radio.interest.watching {
        case .nothing: return false
        case .readable(let descriptor), .readableOrWritable(let descriptor):
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&watched, 1, 0) == 1
        }
    }
}

import DeviceModel
import Foundation
import Testing
import Watch
import WatchLink
import Wormhole
import WormholeTesting

@testable import HostRadio

/// A watch that connects over a socket pauses before it connects again, even if its clock runs faster than real time.
@Suite struct SocketRadioTests {
    private let directory: SocketDirectory
    private let machine = ManualClock()

    init() throws {
        directory = try SocketDirectory(
            path: "\(FileManager.default.temporaryDirectory.path)/tl-\(UInt32.random(in: 0 ... .max))")
    }

    /// Starts a phone that accepts every connection, sends `words` if there are any, and closes the connection. The task
    /// returns the number of connections.
    private func phone(saying words: [UInt8]?, attempts: Int) async throws -> (UnixListener, Task<Int, Never>) {
        let listener = try UnixListener("watch.sock", in: directory)
        let task = Task {
            var count = 0
            while let transport = try? await listener.accept() {
                count += 1
                if let words { try? await transport.send(words) }
                transport.close()
            }
            return count
        }
        return (listener, task)
    }

    /// Returns how often the radio connected. Meanwhile, the watch's clock advances by `watchTime`, and the machine's clock by
    /// `machineTime`, both in 1,000 steps.
    private func connections(_ radio: SocketRadio, watchTime: Microseconds, machineTime: Microseconds) async -> Int {
        var connections: Set<UInt32> = []
        for step in 1...1_000 as ClosedRange<UInt64> {
            machine.advance(by: Microseconds(machineTime.count / 1_000))
            let now = Instant(microseconds: watchTime.count / 1_000 * step)
            radio.service(at: now)
            guard case .up(let connection, _) = radio.state else { continue }
            connections.insert(connection)
            // Waits until the radio notices that the phone has closed the connection.
            var buffer = [UInt8](repeating: 0, count: 512)
            var bytes = buffer.mutableSpan
            while case .up = radio.state {
                if radio.receive(into: &bytes) == nil { await Task.yield() }
            }
        }
        return connections.count
    }

    @Test func `a phone that closes at once is connected to every two seconds in the end`() async throws {
        let (listener, phone) = try await phone(saying: nil, attempts: 0)
        let radio = SocketRadio(path: listener.path, machine: machine)
        let count = await connections(radio, watchTime: .seconds(60), machineTime: .seconds(60))
        listener.close()
        // The pauses start with 50 ms and double up to 2 s.
        #expect((25...40).contains(count))
        #expect(await phone.value == count)
    }

    @Test func `a phone that refuses the watch is connected to once a minute`() async throws {
        // Goodbye with reason 3, of version 2.
        let (listener, phone) = try await phone(saying: [0x02, 0xA3, 0x00, 0x03, 0x02, 0x02, 0x03, 0x02], attempts: 0)
        let radio = SocketRadio(path: listener.path, machine: machine)
        let count = await connections(radio, watchTime: .seconds(600), machineTime: .seconds(600))
        listener.close()
        #expect((9...11).contains(count))
        #expect(await phone.value == count)
    }

    @Test func `a pause passes on the machine's time too, if the watch's goes a thousand times as fast`()
        async throws
    {
        let (listener, phone) = try await phone(saying: [0x02, 0xA3, 0x00, 0x03, 0x02, 0x02, 0x03, 0x02], attempts: 0)
        let radio = SocketRadio(path: listener.path, machine: machine)
        let count = await connections(radio, watchTime: .seconds(100_000), machineTime: .seconds(100))
        listener.close()
        #expect(count == 2)
        #expect(await phone.value == count)
    }

    @Test func `a phone that is not there is looked for ten times a second at most`() async throws {
        let radio = SocketRadio(path: "\(directory.path)/nobody.sock", machine: machine)
        radio.service(at: .start)
        #expect(radio.state == .down)
        #expect(radio.interest.wakeAt.map { $0 >= Instant(microseconds: 100_000) } == true)
    }
}

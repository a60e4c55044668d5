import DeviceModel
import Testing
import Watch
import WatchLink
import Wormhole

@testable import PhoneHost

/// A frozen watch and a frozen phone with a channel between them.
struct JoinedPair<Handler: TapHandler> {
    let watch: FrozenWatch<Handler>
    let phone: FrozenPhone
    private let tasks: [Task<Void, Never>]
    private let transport: any DatagramTransport

    /// Connects the watch to the phone.
    init(_ watch: FrozenWatch<Handler>, _ phone: FrozenPhone) async throws {
        self.watch = watch
        self.phone = phone
        let transport = try await phone.link.connector.connect()
        let port = watch.port
        port.connect()
        tasks = [
            Task {
                while let datagram = try? await transport.receive() { port.arrive(datagram) }
                port.cut()
            },
            Task {
                while let datagram = await port.nextSent() {
                    do { try await transport.send(datagram) } catch { return }
                }
            },
        ]
        self.transport = transport
    }

    /// Runs the watch, and waits for the phone, until both have said everything and a condition holds for the watch.
    ///
    /// - Parameter others: the messages that wait on the phone for other watches.
    func run(others: Int = 0, until condition: (ScreenDescription) -> Bool = { _ in true }) async throws {
        var quietRounds = 0
        while quietRounds < 3 {
            watch.run()
            let isDone = watch.screen.synchronization == .synchronized && condition(watch.screen)
            if isDone, try await phone.store.watches().map(\.waiting).reduce(0, +) == others {
                // What was applied may be answered.
                await phone.settle()
                quietRounds += 1
            } else {
                quietRounds = 0
            }
            guard watch.port.isUp else { return }
            await watch.port.waitForArrivalBriefly()
        }
    }

    /// Has the watch take what has arrived; cuts the channel.
    func cut() async {
        watch.port.cut()
        transport.close()
        for task in tasks {
            task.cancel()
            await task.value
        }
        watch.run()
    }
}

extension TapePort {
    /// Waits for an arrival, or until the phone may have done what nothing arrives for, such as taking an
    /// acknowledgement.
    func waitForArrivalBriefly() async {
        await withTaskGroup { group in
            group.addTask { await self.waitForArrival() }
            // The deadline of the other task.
            group.addTask { try? await Task.sleep(for: .milliseconds(20)) }
            await group.next()
            group.cancelAll()
        }
    }
}

import WatchLink
import Wormhole

/// Runs a program's `EndpointMachine` with simulated channels and the simulation's clock. File jobs finish immediately.
final class AirEndpoint {
    let machine: EndpointMachine
    private let process: DiskProcess
    private let clock: SimulationClock
    private var channels: [ChannelNumber: AirChannel] = [:]
    /// For each full channel, the datagram that waits for room.
    private var waiting: [ChannelNumber: [UInt8]] = [:]
    private var count: ChannelNumber = 0
    private var inputs: [EndpointInput] = []
    var connect: () -> AirChannel? = { nil }
    var perform: (EndpointAction) -> Void = { _ in }

    init(_ machine: EndpointMachine, of process: DiskProcess, _ clock: SimulationClock) {
        self.machine = machine
        self.process = process
        self.clock = clock
    }

    func accept(_ channel: AirChannel) {
        count += 1
        let number = count
        channels[number] = channel
        add(
            .on(number) { machine, _ throws(WormholeError) in
                try machine.opened(number, to: .unknown, largestDatagram: AirChannel.largestDatagram)
            })
    }

    func add(_ input: EndpointInput) { inputs.append(input) }

    func call<Value>(
        _ body: @escaping (EndpointMachine) throws(WormholeError) -> Value
    ) -> Result<Value, WormholeError> {
        var value: Value?
        var failure: WormholeError?
        add(
            EndpointInput { machine, _ throws(WormholeError) in
                value = try body(machine)
            } finish: { _, error in
                failure = error
            })
        step()
        return failure.map(Result.failure) ?? value.map(Result.success) ?? .failure(.closed)
    }

    var due: Instant? { process.isRunning ? machine.due : nil }

    @discardableResult
    func step() -> Bool {
        var isNews = false
        while process.isRunning {
            takeArrived()
            let isDue = machine.due.map { $0 <= clock.now } ?? false
            guard isDue || !inputs.isEmpty else { break }
            isNews = true
            let present = inputs
            inputs = []
            machine.handle(present, at: clock.now)
            // A killed program performs no more actions.
            guard process.isRunning else { break }
            for action in machine.release(at: clock.now) where process.isRunning { make(action) }
        }
        return isNews
    }

    private func takeArrived() {
        for (number, channel) in channels.sorted(by: { $0.key < $1.key }) {
            inputs += channel.takeArrived().map { .received($0, on: number) }
            if channel.hasEnded {
                inputs.append(.ended(number, .closed))
                channels[number] = nil
                waiting[number] = nil
            } else if let datagram = waiting[number], channel.send(datagram) {
                waiting[number] = nil
                inputs.append(.sent(on: number))
            }
        }
    }

    private func make(_ action: EndpointAction) {
        switch action {
        case .connect:
            if let channel = connect() {
                accept(channel)
            } else {
                add(.always { $0.notConnected(.noListener(path: "air")) })
            }
        case .send(let datagram, let number):
            guard let channel = channels[number] else { return }
            if channel.send(datagram) { add(.sent(on: number)) } else { waiting[number] = datagram }
        case .sendAtOnce(let datagram, let number): _ = channels[number]?.send(datagram)
        case .close(let number):
            channels.removeValue(forKey: number)?.close()
            waiting[number] = nil
        case .file(let job):
            let result = job.run()
            add(.fileDone(result))
        case .heard, .answer, .dropAnswer: perform(action)
        }
    }

    /// Says goodbye on every link. Returns whether all links have closed already.
    func close() -> Bool {
        var isDone = false
        add(.always { machine in machine.close { isDone = true } })
        step()
        return isDone
    }

    func abandon() {
        for channel in channels.values { channel.close() }
        channels = [:]
    }
}

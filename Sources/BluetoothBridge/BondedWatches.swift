import HostSystem
import Logging
import WatchLink
import Wormhole

/// The phone's source of channels over Bluetooth. As the central, it connects to each watch for which an adapter has keys, and
/// reconnects after every loss. `accept()` returns the channels.
///
/// It first tries to open a channel on the usual PSM. It reads the PSM from the watch's GATT service only if the watch refuses
/// the usual one. This order is faster, and avoids a crash of Linux 6.1. To read the PSM, bluetoothd connects and demands
/// encryption with the keys. If the watch has lost the keys, this demand crashes the kernel (`list_del corruption` in
/// hci_chan_del, seen with 6.1.192).
///
/// A bonded device counts as a watch if bluetoothd lists Tapline's service for it, or lists no services. A device that was a
/// watch before also counts, because bluetoothd lists the service only while the watch's program runs. Blocked devices do not
/// count. The listener notices a newly paired watch within two seconds.
///
/// After a channel has ended, the listener waits before it connects to the same watch again. It waits at least half a second,
/// and at least the time that `ReconnectDelay` returns. If the user unpairs the watch, a long wait ends early.
public final class BondedWatches: TransportListener {
    /// Opens a channel to a watch. Tests pass a function of their own.
    package typealias Opening =
        @Sendable (_ watch: BluetoothPeer, _ psm: UInt16, _ adapter: BluetoothAddress) async throws(BluetoothError) ->
        any DatagramTransport

    static let scanInterval = Microseconds.seconds(2)
    /// The pause after each failure to reach a watch. A watch that comes back into reach waits at most one second for the next
    /// attempt.
    fileprivate static let backoff = DoublingPause(shortest: .milliseconds(50), longest: .seconds(1))
    /// The minimum pause between the end of a channel and the next attempt to connect. If the user unpairs a watch, bluetoothd
    /// deletes the device as soon as its link has ended. An attempt to connect at that moment can crash Linux 6.1.
    static let settlingPause = Microseconds.milliseconds(500)
    /// After a channel that lasted at least this long, `backoff` starts again with its shortest pause.
    static let steadyTime = Microseconds.seconds(2)
    /// The pause after a failure that only the user can fix, such as a bond that the watch has lost.
    static let hopelessPause = Microseconds.seconds(5)

    private let channels: ChannelQueue
    private let work: Task<Void, Never>

    /// Starts to connect to the watches that are bonded with an adapter. Switches the adapter on if it is off at the start.
    ///
    /// - Parameters:
    ///   - control: the machine's Bluetooth.
    ///   - adapter: such as `hci0`; nil for the first adapter that is on, or else the first.
    ///   - memory: remembers watches. A bonded device that it remembers counts as a watch.
    ///   - logger: gets lines about channels, ended bonds and errors. An error that repeats is logged once.
    public convenience init(
        _ control: any BluetoothControl, adapter: String? = nil, memory: WatchMemory = WatchMemory(),
        logger: Logger = Logger(label: "tapline.bluetooth")
    ) {
        self.init(control, adapter: adapter, memory: memory, clock: SystemClock(), logger: logger) {
            watch, psm, adapter throws(BluetoothError) in
            // `open` refuses a channel without authenticated keys.
            try await L2CAPConnector(to: watch, psm: psm, from: adapter).open().transport
        }
    }

    package init(
        _ control: any BluetoothControl, adapter: String?, memory: WatchMemory = WatchMemory(),
        clock: any LinkClock, logger: Logger, open: @escaping Opening
    ) {
        let channels = ChannelQueue()
        let scanner = BondScanner(
            control: control, adapterName: adapter, memory: memory, clock: clock, logger: logger.aboutPeers(clock),
            open: open, channels: channels)
        self.channels = channels
        work = Task { await scanner.run() }
    }

    deinit { close() }

    /// Waits for the next channel to a watch. Throws `.closed` once the listener is closed.
    public func accept() async throws(WormholeError) -> any DatagramTransport {
        try await channels.next()
    }

    /// Stops connecting. Accepted channels stay open.
    public func close() {
        work.cancel()
        channels.close()
    }
}

private struct BondScanner {
    let control: any BluetoothControl
    let adapterName: String?
    let memory: WatchMemory
    let clock: any LinkClock
    let logger: Logger
    let open: BondedWatches.Opening
    let channels: ChannelQueue

    func run() async {
        let served = WaitableState<Set<BluetoothPeer>>([])
        var trouble: BluetoothError?
        var maySwitchOn = true
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                do throws(BluetoothError) {
                    let adapter = try await control.adapter(named: adapterName)
                    if !adapter.isOn {
                        // If the adapter was on before, the user has switched it off.
                        guard maySwitchOn else { throw .adapterDown(name: adapter.name) }
                        try await control.powerOn(adapter.name)
                    }
                    maySwitchOn = false
                    for watch in try await watches(on: adapter)
                    where served.change({ $0.insert(watch).inserted }) {
                        group.addTask {
                            await serve(watch, on: adapter)
                            served.change { _ = $0.remove(watch) }
                        }
                    }
                    if trouble != nil { logger.info("Bluetooth is available again") }
                    trouble = nil
                } catch {
                    guard !Task.isCancelled else { return }
                    // An error that repeats is logged once.
                    if trouble != error { logger.warning("\(error)") }
                    trouble = error
                }
                await pause(BondedWatches.scanInterval)
            }
        }
    }

    private func watches(on adapter: BluetoothAdapter) async throws(BluetoothError) -> [BluetoothPeer] {
        try await control.bonds(on: adapter.name).filter { device in
            guard !device.isBlocked else { return false }
            if device.services.contains(.tapline) { memory.remember(device.peer, on: adapter.address) }
            return device.mayBeWatch || memory.contains(device.peer, on: adapter.address)
        }.map(\.peer)
    }

    /// Connects to `watch`, and again after each loss. Returns when the device is no longer bonded, or no longer counts as a
    /// watch.
    private func serve(_ watch: BluetoothPeer, on adapter: BluetoothAdapter) async {
        var failures = BondedWatches.backoff
        let delay = WaitableState(ReconnectDelay(seed: watch.address.number))
        let about = Logger.Metadata.about(watch.address)
        var trouble: BluetoothError?
        while !Task.isCancelled {
            let pauseLength: Microseconds
            do throws(BluetoothError) {
                guard try await watches(on: adapter).contains(watch) else {
                    logger.info("\(watch.address) is no longer a bonded watch", metadata: about)
                    // If the device is still bonded, it was never a watch, or the user has blocked it for now.
                    let isBlocked = try await control.bonds(on: adapter.name).contains {
                        $0.peer == watch && $0.isBlocked
                    }
                    if !isBlocked { memory.forget(watch, on: adapter.address) }
                    return
                }
                let channel = ObservedTransport(try await openChannel(to: watch, on: adapter)) { datagram, _ in
                    delay.change { $0.carried(datagram.span) }
                }
                logger.info("a channel to \(watch.address) is open", metadata: about)
                memory.remember(watch, on: adapter.address)
                trouble = nil
                let opened = clock.now
                channels.put(.success(channel))
                await channel.end()
                logger.info("the channel to \(watch.address) is closed", metadata: about)
                // A channel that ends at once, for example because two phones want the same watch, is a failure.
                if clock.now - opened >= BondedWatches.steadyTime { failures.succeeded() }
                pauseLength = max(failures.failed(), delay.change { $0.next() }, BondedWatches.settlingPause)
            } catch {
                // The listener is closed.
                guard !Task.isCancelled else { return }
                // `run` logs the machine's errors once for all watches.
                let nature = error.nature
                if trouble != error, !nature.isOfMachine { logger.warning("\(error)", metadata: about) }
                trouble = error
                pauseLength = nature.needsPerson ? BondedWatches.hopelessPause : failures.failed()
            }
            await pause(pauseLength, before: watch, on: adapter)
        }
    }

    /// Waits for `length`. A wait of more than 5 s ends early if the user unpairs the watch.
    private func pause(_ length: Microseconds, before watch: BluetoothPeer, on adapter: BluetoothAdapter) async {
        let end = clock.now + length
        let step = length > BondedWatches.hopelessPause ? BondedWatches.scanInterval : length
        while !Task.isCancelled, clock.now < end {
            await pause(min(step, end - clock.now))
            // If this call fails, the next attempt asks again.
            if let bonded = try? await watches(on: adapter), !bonded.contains(watch) { return }
        }
    }

    private func openChannel(
        to watch: BluetoothPeer, on adapter: BluetoothAdapter
    ) async throws(BluetoothError) -> any DatagramTransport {
        do throws(BluetoothError) {
            return try await open(watch, L2CAPListener.usualPSM, adapter.address)
        } catch {
            // The watch uses another PSM. It is in reach, and its keys are valid.
            guard case .notListening = error else { throw error }
        }
        try await control.connect(to: watch, on: adapter.name)
        let psm = try await control.channelNumber(of: watch, on: adapter.name)
        do throws(BluetoothError) {
            return try await open(watch, psm, adapter.address)
        } catch {
            // The watch reports that it serves this PSM, so the two kernels do not agree about this link. The next attempt needs
            // a new link.
            if case .notListening = error { try? await control.disconnect(from: watch, on: adapter.name) }
            throw error
        }
    }

    private func pause(_ length: Microseconds) async {
        // If the task is cancelled, the loop of the caller ends.
        try? await clock.sleep(until: clock.now + length)
    }
}

extension BluetoothDevice {
    fileprivate var mayBeWatch: Bool { services.isEmpty || services.contains(.tapline) }
}

extension BluetoothError {
    /// `isOfMachine`: whether the error concerns this machine's Bluetooth instead of one watch. `needsPerson`: whether the user
    /// has to act, so that the next attempt can wait for `hopelessPause`.
    fileprivate var nature: (isOfMachine: Bool, needsPerson: Bool) {
        switch self {
        case .notAllowed: (true, true)
        case .noAdapter, .adapterDown, .adapterBlocked, .noBus, .noDaemon: (true, false)
        case .bondLost, .insecure, .noService, .notPaired: (false, true)
        case .system, .malformedAddress, .outOfReach, .notListening, .cutOff, .tooNarrow, .ended, .pairingFailed,
            .notCompared, .alreadyPaired, .parametersKept, .timedOut, .cancelled, .refused, .unexpectedAnswer:
            (false, false)
        }
    }
}

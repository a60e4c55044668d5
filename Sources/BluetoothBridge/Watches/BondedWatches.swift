import Logging
import Synchronization
import WatchLink
import Wormhole

/// The watches that an adapter has keys for, as a listener: it connects to each of them, again after every loss, and
/// `accept()` returns the channels. This is the phone's side: the central, which is the one that connects.
///
/// The channel is opened by its usual PSM, and only where the watch has another is that read from its GATT service.
/// Besides being quicker this never has bluetoothd connect to a watch that has lost its keys: it demands encryption
/// with them, on which Linux 6.1 goes down (`list_del corruption` in hci_chan_del, seen with 6.1.192). Devices that
/// were never watches are left alone; a watch that pairs while this runs is noticed within `lookingPause`.
///
/// After a channel it waits at least as long as `ReconnectDelay` says: up to 2 s where the link did not open, and 60 s
/// after a goodbye with reason 1 or 3. That wait ends where the watch is unpaired.
public final class BondedWatches: TransportListener {
    /// How a channel is opened once the watch is connected and its PSM is known: an `L2CAPConnector`, or a test's own.
    public typealias Opening =
        @Sendable (_ watch: BluetoothPeer, _ psm: UInt16, _ adapter: BluetoothAddress) async throws(BluetoothError) ->
        any DatagramTransport

    /// The pause between two looks at which watches there are keys for.
    public static let lookingPause = Microseconds.seconds(2)
    /// The pause after the first failure; it doubles with each, up to the longest.
    public static let shortestPause = Microseconds.milliseconds(50)
    /// The longest pause after failures to reach a watch, which is how late its return may be noticed.
    public static let longestPause = Microseconds.seconds(1)
    /// How long a channel has to live for the next pause to be a short one again.
    public static let steadyTime = Microseconds.seconds(2)
    /// The pause after a failure that only a person can fix, such as a bond that the watch has lost.
    public static let hopelessPause = Microseconds.seconds(5)

    private let channels: ChannelQueue
    private let work: Task<Void, Never>

    /// The watches of an adapter. Connecting begins at once.
    ///
    /// - Parameters:
    ///   - control: the machine's Bluetooth.
    ///   - adapter: such as `hci0`; nil for the first that is on.
    ///   - clock: the time of the pauses.
    ///   - logger: gets one line for each change.
    ///   - open: how a channel is opened.
    public init(
        _ control: any BluetoothControl, adapter: String? = nil, clock: any LinkClock = SystemClock(),
        logger: Logger = Logger(label: "tapline.bluetooth"), open: @escaping Opening = BondedWatches.openChannel
    ) {
        let channels = ChannelQueue()
        let rounds = BondedWatchRounds(
            control: control, adapterName: adapter, clock: clock, logger: logger, open: open, channels: channels)
        self.channels = channels
        work = Task { await rounds.run() }
    }

    deinit { close() }

    /// Opens an L2CAP channel, which is refused unless its keys are authenticated.
    public static let openChannel: Opening = { watch, psm, adapter throws(BluetoothError) in
        try await L2CAPConnector(to: watch, psm: psm, from: adapter).open()
    }

    /// Waits for the next channel to a watch.
    ///
    /// - Throws: `.closed` once this is closed.
    public func accept() async throws(WormholeError) -> any DatagramTransport {
        try await channels.next()
    }

    /// Connects to no watch any more. Channels that were accepted stay open.
    public func close() {
        work.cancel()
        channels.close()
    }
}

/// Goes through the bonds again and again, and keeps one task for each watch among them.
private struct BondedWatchRounds {
    let control: any BluetoothControl
    let adapterName: String?
    let clock: any LinkClock
    let logger: Logger
    let open: BondedWatches.Opening
    let channels: ChannelQueue

    func run() async {
        var known: Set<BluetoothPeer> = []
        var trouble: BluetoothError?
        var dark = Dark.isSwitchedOn
        await withDiscardingTaskGroup { group in
            let finished = FinishedWatches()
            while !Task.isCancelled {
                do throws(BluetoothError) {
                    let adapter = try await readyAdapter(dark)
                    dark = .isLeftAlone
                    known.subtract(finished.take())
                    for watch in try await watches(on: adapter) where known.insert(watch).inserted {
                        group.addTask {
                            await serve(watch, on: adapter)
                            finished.put(watch)
                        }
                    }
                    if trouble != nil { logger.info("Bluetooth is available again") }
                    trouble = nil
                } catch {
                    guard !Task.isCancelled else { return }
                    // One line a change: the same trouble is not told twice.
                    if trouble != error { logger.warning("\(error)") }
                    trouble = error
                }
                await pause(BondedWatches.lookingPause)
            }
        }
    }

    /// What to do with an adapter that is off.
    private enum Dark {
        /// Whoever starts this wants to use it.
        case isSwitchedOn
        /// It was on, and somebody has switched it off since.
        case isLeftAlone
    }

    private func readyAdapter(_ dark: Dark) async throws(BluetoothError) -> BluetoothAdapter {
        let adapter = try await control.adapter(named: adapterName)
        switch (adapter.power, dark) {
        case (.on, .isSwitchedOn), (.on, .isLeftAlone): break
        case (.off, .isSwitchedOn): try await control.powerOn(adapter.name)
        case (.off, .isLeftAlone): throw .adapterDown(name: adapter.name)
        }
        return adapter
    }

    /// The devices that there are keys for and that may be watches.
    private func watches(on adapter: BluetoothAdapter) async throws(BluetoothError) -> [BluetoothPeer] {
        try await control.bonds(on: adapter.name).filter(\.mayBeWatch).map(\.peer)
    }

    /// Connects to a watch until it is no longer bonded, or turns out to be none.
    private func serve(_ watch: BluetoothPeer, on adapter: BluetoothAdapter) async {
        var failures = FailurePause()
        var delay = ReconnectDelay()
        var trouble: BluetoothError?
        while !Task.isCancelled {
            let pauseLength: Microseconds
            do throws(BluetoothError) {
                guard try await watches(on: adapter).contains(watch) else {
                    logger.info("\(watch.address) is no longer a bonded watch")
                    return
                }
                let channel = EndingTransport(try await openChannel(to: watch, on: adapter), delay: delay)
                logger.info("a channel to \(watch.address) is open")
                trouble = nil
                let opened = clock.now
                channels.put(channel)
                await channel.end()
                delay = channel.delay
                logger.info("the channel to \(watch.address) is closed")
                // One that ends at once, as where two phones want the same watch, is no reason to hurry.
                if clock.now - opened >= BondedWatches.steadyTime { failures = FailurePause() }
                pauseLength = max(failures.next(), delay.next())
            } catch {
                // Given up, because nobody wants the watch any more.
                guard !Task.isCancelled else { return }
                // What is wrong with the machine is told once for all watches, by `run`.
                if trouble != error, !error.isOfMachine { logger.warning("\(error)") }
                trouble = error
                pauseLength = failures.next(after: error)
            }
            await pause(pauseLength, before: watch, on: adapter)
        }
    }

    /// Waits before the next attempt to reach a watch. A long wait ends where the watch is unpaired: a person who then
    /// pairs it anew asks for a connection.
    private func pause(_ length: Microseconds, before watch: BluetoothPeer, on adapter: BluetoothAdapter) async {
        let end = clock.now + length
        let step = length > BondedWatches.hopelessPause ? BondedWatches.lookingPause : length
        while !Task.isCancelled, clock.now < end {
            await pause(min(step, end - clock.now))
            // What cannot be asked now is asked by the next attempt.
            if let bonded = try? await watches(on: adapter), !bonded.contains(watch) { return }
        }
    }

    private func openChannel(
        to watch: BluetoothPeer, on adapter: BluetoothAdapter
    ) async throws(BluetoothError) -> any DatagramTransport {
        do throws(BluetoothError) {
            return try await open(watch, L2CAPListener.usualPSM, adapter.address)
        } catch {
            // Nobody has that number there, so the watch can be spoken to, and its keys are good.
            guard case .notListening = error else { throw error }
        }
        try await control.connect(to: watch, on: adapter.name)
        let psm = try await control.channelNumber(of: watch, on: adapter.name)
        do throws(BluetoothError) {
            return try await open(watch, psm, adapter.address)
        } catch {
            // The watch says that it serves this number: the two kernels do not agree about this link, and the next is
            // a new one.
            if case .notListening = error { try? await control.disconnect(from: watch, on: adapter.name) }
            throw error
        }
    }

    private func pause(_ length: Microseconds) async {
        // A pause that is cut short ends the loop around it.
        try? await clock.sleep(until: clock.now + length)
    }
}

/// How long to wait between attempts to reach a watch.
private struct FailurePause {
    private var length = BondedWatches.shortestPause

    /// How long to wait after one more failure.
    mutating func next(after error: BluetoothError) -> Microseconds {
        error.needsPeople ? BondedWatches.hopelessPause : next()
    }

    /// How long to wait this time; it gets longer.
    mutating func next() -> Microseconds {
        defer { length = min(length + length, BondedWatches.longestPause) }
        return length
    }
}

/// The watches whose task has come to its end because their bond was gone.
private final class FinishedWatches: Sendable {
    private let watches = Mutex<Set<BluetoothPeer>>([])

    func put(_ watch: BluetoothPeer) { _ = watches.withLock { $0.insert(watch) } }

    func take() -> Set<BluetoothPeer> {
        watches.withLock { watches in
            defer { watches = [] }
            return watches
        }
    }
}

extension BluetoothDevice {
    /// Whether it has said that it is a watch, or has not said anything yet.
    fileprivate var mayBeWatch: Bool { services.isEmpty || services.contains(.tapline) }
}

extension BluetoothError {
    /// Whether trying again is of no use before somebody does something.
    fileprivate var needsPeople: Bool {
        switch self {
        case .bondLost, .insecure, .noService, .notPaired, .notAllowed: true
        case .system, .noAdapter, .adapterDown, .adapterBlocked, .noBus, .noDaemon, .malformedAddress, .outOfReach,
            .notListening, .cutOff, .tooNarrow, .ended, .pairingFailed, .alreadyPaired, .paceKept, .timedOut,
            .cancelled,
            .refused, .unexpectedAnswer:
            false
        }
    }

    /// Whether it is about this machine's Bluetooth as a whole, and not about one watch.
    fileprivate var isOfMachine: Bool {
        switch self {
        case .noAdapter, .adapterDown, .adapterBlocked, .noBus, .noDaemon, .notAllowed: true
        case .system, .malformedAddress, .outOfReach, .notPaired, .notListening, .cutOff, .tooNarrow, .ended, .insecure,
            .bondLost, .pairingFailed, .noService, .alreadyPaired, .paceKept, .timedOut, .cancelled, .refused,
            .unexpectedAnswer:
            false
        }
    }
}

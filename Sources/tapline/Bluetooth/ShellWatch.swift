import BluetoothBridge
import Synchronization

/// The Bluetooth of a `tapline wormhole` command that acts as the watch. Phones can discover this watch, pair with it and
/// connect to it.
struct ShellWatch {
    private let peripheral: BluetoothPeripheral
    private let name: String
    private let letsPhonesPair: Bool
    private let notes = RadioNotes(isHeld: false, toLetPair: "start this again with --pairing")

    /// Switches the adapter on. If `adapter` is nil, uses the first adapter that is on, or the first adapter if none is on.
    /// Phones discover the watch only after `publish()`.
    init(
        adapter: String?, name: String, letsPhonesPair: Bool, control: any BluetoothControl
    ) async throws(BluetoothError) {
        peripheral = try await BluetoothPeripheral(adapter: adapter, control: control)
        self.name = name
        self.letsPhonesPair = letsPhonesPair
    }

    var phones: PhoneListener { peripheral.phones { [notes] in notes.write($0) } }

    func publish() async throws(BluetoothError) -> WatchPublication {
        let news = PairingNews()
        return try await peripheral.publish(TerminalWearer(notes), name: name, letsPhonesPair: letsPhonesPair) {
            [notes] note in
            if news.isDue(note) { notes.write(note) }
        }
    }
}

/// Decides which notes are printed. The note `pairingClosed` is news only after pairing has been open.
final class PairingNews: Sendable {
    private let hasBeenOpen = Mutex(false)

    /// Whether to print a note. The caller passes every note, in order.
    func isDue(_ note: PeripheralNote) -> Bool {
        hasBeenOpen.withLock { hasBeenOpen in
            if note == .pairingOpen { hasBeenOpen = true }
            return note != .pairingClosed || hasBeenOpen
        }
    }
}

/// A wearer that is the user of a `tapline wormhole` command. The user compares a pairing's digits in the terminal.
struct TerminalWearer: Wearer {
    private let notes: RadioNotes
    private let open: @Sendable () throws(AnsweringTerminal.Absence) -> AnsweringTerminal

    /// - Parameters:
    ///   - notes: prints the reason if the user cannot be asked.
    ///   - open: opens the terminal. It is called for each question.
    init(
        _ notes: RadioNotes,
        at open: @escaping @Sendable () throws(AnsweringTerminal.Absence) -> AnsweringTerminal = {
            () throws(AnsweringTerminal.Absence) in try AnsweringTerminal()
        }
    ) {
        self.notes = notes
        self.open = open
    }

    /// Always 0, because the user allows pairing on the command line, not with a button.
    var openings: Int { 0 }

    func compare(_ request: PairingRequest) async -> PairingDecision {
        do throws(AnsweringTerminal.Absence) {
            let terminal = try open()
            return PairingDecision(answer: await terminal.answer(to: request.question(about: "phone")))
        } catch {
            switch error {
            case .noTerminal:
                notes.write(
                    "\(request.peer) wants to pair, and there is no terminal for comparing the digits "
                        + "\(request.digits): run this in a terminal once, with --pairing")
            case .inBackground:
                notes.write(
                    "\(request.peer) wants to pair, and this runs in the background: bring it to the front (fg), and pair "
                        + "again")
            }
            return .reject
        }
    }
}

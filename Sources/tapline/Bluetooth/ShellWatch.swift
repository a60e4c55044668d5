import BluetoothBridge
import Synchronization

/// Makes a shell command a Bluetooth watch, which phones can discover, pair with and connect to.
struct ShellWatch {
    private let peripheral: BluetoothPeripheral
    private let name: String
    private let letsPhonesPair: Bool
    private let notes = RadioNotes(isHeld: false, toLetPair: "start this again with --pairing")

    /// Switches the adapter on. Nil means the first adapter that is on, or else the first. Phones discover the watch only after
    /// `publish()`.
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

/// Decides which notes are printed. "No phone may pair" says something new only after pairing has been open.
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

/// Lets the user of a shell command compare the digits of a pairing in its terminal.
struct TerminalWearer: Wearer {
    private let notes: RadioNotes
    private let open: @Sendable () throws(AnsweringTerminal.Absence) -> AnsweringTerminal

    /// `notes` gets the reason if the user cannot be asked.
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

import BluetoothBridge
import Synchronization

/// Makes a shell command a Bluetooth watch, which phones can discover, pair with and connect to.
struct ShellWatch {
    private let peripheral: BluetoothPeripheral
    private let name: String
    private let opening: BluetoothPeripheral.Opening
    private let notes = RadioNotes(isHeld: false, toLetPair: "start this again with --pairing")

    /// Switches the adapter on. Phones discover the watch only after `publish()`.
    ///
    /// - Parameters:
    ///   - adapter: the adapter's name; nil means the first one that is on.
    ///   - name: the watch's name for phones.
    /// - Throws: the errors of `BluetoothPeripheral`.
    init(
        adapter: String?, name: String, opening: BluetoothPeripheral.Opening, control: any BluetoothControl
    ) async throws(BluetoothError) {
        peripheral = try await BluetoothPeripheral(adapter: adapter, control: control)
        self.name = name
        self.opening = opening
    }

    var phones: PhoneListener { peripheral.phones { [notes] in notes.write($0) } }

    /// Lets phones discover the watch until the caller ends the returned publication.
    func publish() async throws(BluetoothError) -> WatchPublication {
        let news = PairingNews()
        return try await peripheral.publish(TerminalWearer(notes), name: name, opening: opening) { [notes] note in
            if news.isDue(note) { notes.write(note) }
        }
    }
}

/// Filters notes about pairing. Leaves out "no phone may pair" until pairing has been open, because it says nothing new before
/// that.
final class PairingNews: Sendable {
    private enum State {
        case neverOpen
        case opened
    }

    private let state = Mutex(State.neverOpen)

    /// Whether to print a note. The caller passes every note, in order.
    func isDue(_ note: PeripheralNote) -> Bool {
        state.withLock { state in
            switch (note, state) {
            case (.pairingClosed, .neverOpen): return false
            case (.pairingOpen, _):
                state = .opened
                return true
            case (.pairingClosed, .opened), (.paired, _), (.refused, _), (.notConfirmed, _), (.disconnected, _):
                return true
            }
        }
    }
}

/// Lets the user of a shell command compare the digits of a pairing in its terminal.
struct TerminalWearer: Wearer {
    private let notes: RadioNotes
    private let open: @Sendable () throws(AnsweringTerminal.Absence) -> AnsweringTerminal

    /// - Parameters:
    ///   - notes: prints the reason if the user cannot be asked.
    ///   - open: opens the terminal.
    init(
        _ notes: RadioNotes,
        at open: @escaping @Sendable () throws(AnsweringTerminal.Absence) -> AnsweringTerminal = {
            () throws(AnsweringTerminal.Absence) in try AnsweringTerminal()
        }
    ) {
        self.notes = notes
        self.open = open
    }

    /// Always 0: the user allows pairing on the command line, not with a button.
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

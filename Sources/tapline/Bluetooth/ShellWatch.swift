import BluetoothBridge
import Synchronization

/// A shell as a watch over Bluetooth: what phones discover, pair with and connect to.
struct ShellWatch {
    private let peripheral: BluetoothPeripheral
    private let name: String
    private let opening: BluetoothPeripheral.Opening
    private let notes = RadioNotes(isHeld: false, toLetPair: "start this again with --pairing")

    /// Switches the adapter on. Phones cannot discover the watch before `publish()`.
    ///
    /// - Parameters:
    ///   - adapter: its name; nil for the first that is on.
    ///   - name: what phones see.
    /// - Throws: as `BluetoothPeripheral`.
    init(
        adapter: String?, name: String, opening: BluetoothPeripheral.Opening, control: any BluetoothControl
    ) async throws(BluetoothError) {
        peripheral = try await BluetoothPeripheral(adapter: adapter, control: control)
        self.name = name
        self.opening = opening
    }

    /// The phones that connect.
    var phones: PhoneListener { peripheral.phones { [notes] in notes.write($0) } }

    /// Lets phones discover the watch until the returned publication ends.
    func publish() async throws(BluetoothError) -> WatchPublication {
        let news = PairingNews()
        return try await peripheral.publish(TerminalWearer(notes), name: name, opening: opening) { [notes] note in
            if news.isDue(note) { notes.write(note) }
        }
    }
}

/// Whether a note is told. That no phone may pair is no news of a command that has let none.
final class PairingNews: Sendable {
    private enum State {
        case neverOpen
        case opened
    }

    private let state = Mutex(State.neverOpen)

    /// Whether to tell a note, which comes after those that this was asked about.
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

/// The person who has started a shell that is a watch: the digits of a pairing are compared at the command's terminal.
struct TerminalWearer: Wearer {
    private let notes: RadioNotes
    private let open: @Sendable () throws(AnsweringTerminal.Absence) -> AnsweringTerminal

    /// - Parameters:
    ///   - notes: gets the reason if the person cannot be asked.
    ///   - open: returns the terminal.
    init(
        _ notes: RadioNotes,
        at open: @escaping @Sendable () throws(AnsweringTerminal.Absence) -> AnsweringTerminal = {
            () throws(AnsweringTerminal.Absence) in try AnsweringTerminal()
        }
    ) {
        self.notes = notes
        self.open = open
    }

    /// Only the command line lets phones pair.
    var openings: Int { 0 }

    func compare(_ request: PairingRequest) async -> PairingDecision {
        do throws(AnsweringTerminal.Absence) {
            let terminal = try open()
            return PairingDecision(answer: await terminal.answer(to: request.question(about: "phone")))
        } catch {
            switch error {
            case .noTerminal:
                notes.write(
                    "\(request.peer) wants to pair, and nobody is at a terminal to compare the digits "
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

import BluetoothBridge
import Synchronization

/// A shell as a Bluetooth watch that phones discover, pair with and connect to.
struct ShellWatch {
    private let peripheral: BluetoothPeripheral
    private let name: String
    private let opening: BluetoothPeripheral.Opening
    private let notes = RadioNotes(isHeld: false, toLetPair: "start this again with --pairing")

    /// Switches the adapter on. Phones cannot discover the watch before `publish()`.
    ///
    /// - Parameters:
    ///   - adapter: its name; nil for the first that is on.
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

    /// Lets phones discover the watch until the returned publication ends.
    func publish() async throws(BluetoothError) -> WatchPublication {
        let news = PairingNews()
        return try await peripheral.publish(TerminalWearer(notes), name: name, opening: opening) { [notes] note in
            if news.isDue(note) { notes.write(note) }
        }
    }
}

/// Decides whether to write a note. "No phone may pair" is left out if this command never let phones pair.
final class PairingNews: Sendable {
    private enum State {
        case neverOpen
        case opened
    }

    private let state = Mutex(State.neverOpen)

    /// Whether to write a note. Call it for each note, in order.
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

/// The user of a shell that is a watch, who compares the digits of a pairing at the command's terminal.
struct TerminalWearer: Wearer {
    private let notes: RadioNotes
    private let open: @Sendable () throws(AnsweringTerminal.Absence) -> AnsweringTerminal

    /// - Parameters:
    ///   - notes: gets the reason if the user cannot be asked.
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

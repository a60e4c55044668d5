import BluetoothBridge

/// Whoever has started a shell that is a watch: the digits of a pairing are compared at the command's terminal.
struct TerminalWearer: Wearer {
    private let notes: RadioNotes
    private let open: @Sendable () throws(AnsweringTerminal.Absence) -> AnsweringTerminal

    /// - Parameters:
    ///   - notes: gets the reason where nobody can be asked.
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

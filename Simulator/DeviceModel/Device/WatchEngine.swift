import Watch
import WatchLink

/// Runs a watch's program step by step and publishes a snapshot whenever there is something new to see.
struct WatchEngine<Program: WatchProgram & ~Copyable>: ~Copyable {
    private var program: Program
    private let mailbox: SnapshotMailbox
    private var latest = WatchSnapshot()
    /// The CBOR that `latest` was decoded from.
    private var described: [UInt8] = []

    init(_ program: consuming Program, mailbox: SnapshotMailbox) {
        self.program = program
        self.mailbox = mailbox
    }

    /// Starts the program and publishes the first frame.
    mutating func start() {
        program.start()
        publish(handled: latest.handled)
    }

    /// Lets the program do one step.
    mutating func step() -> NextStep {
        let next = program.step()
        switch next {
        case .again:
            let output = program.board.output
            let isVisible =
                output.screenChanges != latest.output.screenChanges || output.linesWritten != latest.output.linesWritten
            if isVisible { publish(handled: latest.handled) }
        case .idle:
            // What followed at once from the inputs taken so far is done.
            let handled = program.board.inputs.taken
            let description = program.describe()
            if handled != latest.handled || program.board.output.revision != latest.output.revision
                || description != described
            {
                publish(description, handled: handled)
            }
        }
        return next
    }

    /// Waits for an event or `deadline`, as the board does.
    func idle(until deadline: Instant?) {
        var board = program.board
        board.idle(until: deadline)
    }

    /// Publishes the last snapshot.
    mutating func finish() {
        latest.phase = .stopped
        publish(handled: latest.handled)
    }

    private mutating func publish(handled: InputNumber) {
        publish(program.describe(), handled: handled)
    }

    private mutating func publish(_ description: [UInt8], handled: InputNumber) {
        if description != described {
            do {
                latest.description = try ScreenDescription(cbor: description)
            } catch {
                // The program is of the same build: what it writes and cannot be read is a bug of ours.
                preconditionFailure("\(error)")
            }
            described = description
        }
        latest.number += 1
        latest.time = program.board.clock.now
        latest.output = program.board.output
        latest.handled = handled
        mailbox.publish(latest)
    }
}

import Watch
import WatchLink

/// Runs a watch's program step by step and publishes a snapshot whenever there is something new to see.
struct WatchEngine<Program: WatchProgram & ~Copyable>: ~Copyable {
    private var program: Program
    private let mailbox: SnapshotMailbox
    /// The newest snapshot.
    private(set) var latest = WatchSnapshot()

    init(_ program: consuming Program, mailbox: SnapshotMailbox) {
        self.program = program
        self.mailbox = mailbox
    }

    /// Starts the program and publishes the first frame.
    mutating func start() {
        program.start()
        publish(handled: latest.handled)
    }

    /// Runs one step of the program.
    mutating func step() -> NextStep {
        let next = program.step()
        switch program.surface.condition {
        case .working: break
        case .failed:
            // It is in the middle of a step: asked for its screen, machine code would go on from there.
            publish(latest.description, handled: latest.handled, as: .atRest)
            return next
        }
        switch next {
        case .again:
            let output = program.surface.output
            let isVisible =
                output.screenChanges != latest.output.screenChanges || output.linesWritten != latest.output.linesWritten
            if isVisible { publish(handled: latest.handled, as: .working) }
        case .idle:
            // What followed at once from the inputs taken so far is done.
            let handled = program.surface.handled
            let screen = program.describe()
            if handled != latest.handled || program.surface.output.revision != latest.output.revision
                || screen != latest.description || panelRows(.atRest) != latest.panelRows
            {
                publish(screen, handled: handled, as: .atRest)
            }
        }
        return next
    }

    private enum Activity {
        /// The program has more to do.
        case working
        /// It waits, with nothing left to send to the panel.
        case atRest
    }

    /// Whether the panel shows the rows of the last description.
    private func panelRows(_ activity: Activity) -> WatchSnapshot.PanelRows {
        guard program.isPanelCurrent else { return .behind }
        return switch (activity, program.surface.output.panelRun) {
        case (.working, .perhapsPart): .behind
        case (.working, .last), (.atRest, _): .current
        }
    }

    /// Does what a request asks of the program, which is at rest, and publishes the first frame of one that has restarted.
    mutating func perform(_ request: RestartRequest) throws(RestartError) -> FlashImage {
        let image = try program.perform(request)
        publish(handled: program.surface.handled)
        return image
    }

    /// Waits for an event or `deadline`, as the surface does.
    func idle(until deadline: Instant?) {
        program.surface.idle(until: deadline)
    }

    /// Looks at the program between two of its steps.
    func look<Answer>(_ question: (borrowing Program) -> Answer) -> Answer { question(program) }

    /// What has come out of the hardware under the program so far.
    var output: BoardOutput { program.surface.output }

    var phase: WatchSnapshot.Phase { latest.phase }

    /// Publishes the last snapshot, unless the watch has failed: then that was the last one.
    mutating func finish() {
        switch latest.phase {
        case .failed: return
        case .running, .stopped: break
        }
        latest.phase = .stopped
        publish(handled: latest.handled)
    }

    private mutating func publish(handled: InputNumber, as activity: Activity = .atRest) {
        publish(program.describe(), handled: handled, as: activity)
    }

    private mutating func publish(_ screen: ScreenDescription, handled: InputNumber, as activity: Activity) {
        latest.description = screen
        latest.panelRows = panelRows(activity)
        latest.number += 1
        switch program.surface.condition {
        case .working: break
        case .failed(let reason): latest.phase = .failed(reason: reason)
        }
        latest.time = program.surface.clock.now
        latest.output = program.surface.output
        latest.handled = handled
        mailbox.publish(latest)
    }
}

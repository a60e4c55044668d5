@testable import TapLatency

extension StepReport {
    /// Nineteen steps. The first has no updated mark, for a handler without stages draws nothing.
    static let samples: [StepReport] = {
        var steps: [StepReport] = []
        for (index, row) in rows.enumerated() {
            var marks = MarkTimes()
            if let updated = row.updated {
                marks = .around([.handled: updated / 12, .updated: updated, .settled: updated + 9_360])
            }
            let change = steps.last.map { before -> StepChange in
                let earlier = before.marks.updated?.p50
                let difference = row.updated.flatMap { now in earlier.map { Int64(now) - Int64($0) } }
                return StepChange(against: before.step, handled: 0, updated: difference, settled: difference)
            }
            steps.append(
                StepReport(
                    step: index + 1, name: row.name, hypothesis: row.hypothesis, found: row.found,
                    verdict: row.verdict, change: change, marks: marks, stages: []))
        }
        return steps
    }()

    private struct Row {
        let name: String
        let updated: UInt64?
        let verdict: Verdict
        let hypothesis: String
        let found: String
    }

    private static let rows = [
        Row(
            name: "an empty handler", updated: nil, verdict: .reference,
            hypothesis: "With everything disabled a tap is instant: the handler is the cause.",
            found: "A tap without stages is handled in 2 µs and draws nothing."),
        Row(
            name: "every duty extracted, all off", updated: 2_410, verdict: .kept,
            hypothesis: "Stages that are switched off cost nothing.",
            found: "The same time as step 1, to the microsecond."),
        Row(
            name: "haptic", updated: 2_649, verdict: .kept, hypothesis: "Starting the driver takes no noticeable time.",
            found: "The write to the driver takes 239 µs, 96 % of it on its bus."),
        Row(
            name: "placeholder", updated: 2_652, verdict: .kept,
            hypothesis: "Showing or hiding one text is a matter of microseconds.",
            found: "3 µs: nobody will ever see it."),
        Row(
            name: "strike-through", updated: 2_690, verdict: .kept,
            hypothesis: "One row is drawn, thirty lines are sent.",
            found: "38 µs of instructions; the lines take 2.41 ms, as the panel does by itself."),
        Row(
            name: "cell and list model", updated: 2_893, verdict: .kept,
            hypothesis: "Removing an item moves a few references.",
            found: "203 µs, all of it on the processor."),
        Row(
            name: "remaining count", updated: 2_942, verdict: .kept,
            hypothesis: "Counting 128 items is barely noticeable.",
            found: "49 µs more, and it stays."),
        Row(
            name: "complication, as it was", updated: 2_837_100, verdict: .slow,
            hypothesis: "A text on the face cannot take long.",
            found: "The wearer waits 2.83 s longer than without it."),
        Row(
            name: "where the complication’s time goes", updated: 2_837_100, verdict: .attributed,
            hypothesis: "The update itself is slow.",
            found: "82 % is the whole list on its way over the air, 18 % waiting for the phone; the update is 88 µs."),
        Row(
            name: "complication from what the watch has", updated: 3_031, verdict: .fixed,
            hypothesis: "Without the reload it is fast.",
            found: "2.83 s faster than step 9, and the complication says the same."),
        Row(
            name: "sorting database, as it was", updated: 221_540, verdict: .slow,
            hypothesis: "Writing an order of 128 items takes a moment.",
            found: "219 ms more: the wearer sees every one of them."),
        Row(
            name: "where the sorting’s time goes", updated: 221_540, verdict: .attributed,
            hypothesis: "The sort is the slow part.",
            found: "98 % is waiting for the flash chip: a sector is erased for every tap."),
        Row(
            name: "sorting database, only what changed", updated: 6_140, verdict: .improved,
            hypothesis: "Appending one record needs no erase.",
            found: "215 ms faster, and still twice what the panel needs."),
        Row(
            name: "no sorting database", updated: 3_031, verdict: .removed,
            hypothesis: "Checked items no longer move to the bottom: nothing reads the order.",
            found: "Rows are in the same order without it."),
        Row(
            name: "message sent and waited for", updated: 258_300, verdict: .slow,
            hypothesis: "A datagram of sixty bytes is away in a moment.",
            found: "255 ms until the answer is there."),
        Row(
            name: "where the message’s time goes", updated: 258_300, verdict: .attributed,
            hypothesis: "Encoding is the slow part.",
            found: "63 % is the radio, 36 % waiting for the phone; encoding takes 214 µs."),
        Row(
            name: "message made asynchronous", updated: 2_622, verdict: .madeAsynchronous,
            hypothesis: "The wearer need not wait for the phone.",
            found: "256 ms faster; the phone has it after the same 81.4 ms."),
        Row(
            name: "asynchronous, and the link cut", updated: 2_622, verdict: .proven,
            hypothesis: "What is in flash before it is sent is not lost.",
            found: "200 of 200 taps are in the phone’s database, each once."),
        Row(
            name: "everything together", updated: 2_619, verdict: .confirmed,
            hypothesis: "On the firmware image it takes what the model says.",
            found: "Every stage is within 3.6 % of the model."),
    ]
}

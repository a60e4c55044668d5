import Watch

/// What parts of the program execute, counted where its machine code is executed: from which the time of a watch is charged whose
/// code is compiled for this machine.
package struct CountTable: Sendable, Equatable {
    /// From the touch interrupt to the first stage of the tap: waking up, looking for input, finding the row, beginning the tap.
    package var touch: CodeCount
    /// From the end of a stage to whatever comes next in the handler: another stage, or its end.
    package var between: CodeCount
    /// What comes before the first line of a run: asking for the lines that have changed.
    package var flush: CodeCount
    /// A line of a run: finding it, framing it in a transfer buffer and handing that over to the panel's bus.
    package var line: CodeCount
    /// After the last line of a run was sent, while it is on its way: noting which rows it shows.
    package var meanwhile: CodeCount
    /// From the end of the last line's transfer to the report that it is on the panel.
    package var shown: CodeCount
    /// Taking a row off the screen, up to its first line that is sent: the rows below move, and one is drawn.
    package var removal: CodeCount
    /// Drawing what the phone's news has changed, up to the first line that is sent.
    package var news: CodeCount
    /// Drawing a line of another screen, for which the wearer has asked.
    package var drawnLine: CodeCount
    /// What a datagram of the phone's brings about.
    package var datagram: CodeCount
    /// Waking up, finding that there is nothing to draw and to tell, and waiting again.
    package var wake: CodeCount
    /// Every stage by its name.
    package var stages: [String: CodeCount]
    /// What the watch does for each message, button and file of its handler, by `MessageTitle`. What the runtime does itself is there;
    /// the rest is the handler's own, and counted by `tapline count`.
    package var messages = [MessageTitle.fileCheck: CountTable.fileCheck]
    /// What the handler computes in none of its stages.
    package var aroundStages = AroundStages()

    /// What a handler's own code executes at a tap, in none of its stages.
    package struct AroundStages: Sendable, Equatable {
        /// What the wearer waits for: charged when the tap begins.
        package var immediate = CodeCount.zero
        /// The rest: charged when the panel is updated.
        package var deferred = CodeCount.zero

        package init(immediate: CodeCount = .zero, deferred: CodeCount = .zero) {
            self.immediate = immediate
            self.deferred = deferred
        }
    }

    package init(
        touch: CodeCount, between: CodeCount, flush: CodeCount, line: CodeCount, meanwhile: CodeCount,
        shown: CodeCount, removal: CodeCount, news: CodeCount, drawnLine: CodeCount, datagram: CodeCount,
        wake: CodeCount, stages: [String: CodeCount]
    ) {
        (self.touch, self.between, self.flush, self.line) = (touch, between, flush, line)
        (self.meanwhile, self.shown, self.removal, self.news) = (meanwhile, shown, removal, news)
        (self.drawnLine, self.datagram, self.wake, self.stages) = (drawnLine, datagram, wake, stages)
    }

    /// The table for a list with this number of items left. Drawing the title bar takes longer the more digits the number has,
    /// so there is a column for one digit, for two, for three and for four or more.
    package static func measured(items: Int) -> CountTable {
        switch items {
        case ..<11: measured[0]
        case ..<101: measured[1]
        case ..<1_001: measured[2]
        default: measured[3]
        }
    }

    /// Taking 256 bytes of a file into its SHA-256: the most of `Tests/SamplePackage`, by `tapline count`.
    package static let fileCheck = CodeCount(instructions: 19_112, cycles: 25_476)

    /// The numbers of items that the columns are counted for.
    package static let columns = [8, 32, 128, 2_000]
}

import Watch

/// What parts of the program execute, counted by executing its machine code. It charges the time of a watch whose code
/// is compiled for this machine.
package struct CountTable: Sendable, Equatable {
    /// From the touch interrupt to the tap's first stage: waking up, finding the row, beginning the tap.
    package var touch: CodeCount
    /// From the end of a stage to the next one or the end of the handler.
    package var between: CodeCount
    /// Before the first line of a run: asking for the changed lines.
    package var flush: CodeCount
    /// A line of a run: finding it, framing it in a transfer buffer, handing it to the panel's bus.
    package var line: CodeCount
    /// While the last line is on its way: noting which rows the run shows.
    package var meanwhile: CodeCount
    /// From the end of the last transfer to the report that the lines are on the panel.
    package var shown: CodeCount
    /// Taking a row off the screen, up to the first line sent.
    package var removal: CodeCount
    /// Drawing news of the phone, up to the first line sent.
    package var news: CodeCount
    /// Drawing a line of another screen that the wearer asked for.
    package var drawnLine: CodeCount
    /// The consequences of a datagram from the phone.
    package var datagram: CodeCount
    /// Waking up, finding nothing to do, and waiting again.
    package var wake: CodeCount
    package var stages: [String: CodeCount]
    /// The work for each message, button and file of the handler, by `MessageTitle`. The handler's own entries come
    /// from `tapline count`.
    package var messages = [MessageTitle.fileCheck: CountTable.fileCheck]
    /// What the handler executes outside of its stages.
    package var aroundStages = AroundStages()

    package struct AroundStages: Sendable, Equatable {
        /// Charged when the tap begins.
        package var immediate = CodeCount.zero
        /// Charged when the panel is updated.
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

    /// The table for this number of items left. Drawing the title bar takes longer with more digits: there is a column
    /// for one, two, three, and four or more.
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

/// What a piece of the program executes.
package struct CodeCount: Sendable, Equatable, AdditiveArithmetic {
    package var instructions: Int
    /// On the processor of `memory-lcd`, with its flash wait states and its cache.
    package var cycles: Int

    package init(instructions: Int, cycles: Int) {
        self.instructions = instructions
        self.cycles = cycles
    }

    /// A count without measured cycles: each instruction takes the profile's average.
    package init(instructions: Int) {
        let average = DeviceProfile.memoryLCD.processor.cyclesPerInstruction
        self.init(instructions: instructions, cycles: Int((Double(instructions) * average).rounded()))
    }

    package static let zero = CodeCount(instructions: 0, cycles: 0)

    package static func + (one: CodeCount, other: CodeCount) -> CodeCount {
        CodeCount(instructions: one.instructions + other.instructions, cycles: one.cycles + other.cycles)
    }

    package static func - (one: CodeCount, other: CodeCount) -> CodeCount {
        CodeCount(instructions: one.instructions - other.instructions, cycles: one.cycles - other.cycles)
    }

    package static func * (times: Int, one: CodeCount) -> CodeCount {
        CodeCount(instructions: times * one.instructions, cycles: times * one.cycles)
    }

    package static func / (one: CodeCount, parts: Int) -> CodeCount {
        CodeCount(
            instructions: Int((Double(one.instructions) / Double(parts)).rounded()),
            cycles: Int((Double(one.cycles) / Double(parts)).rounded()))
    }
}

/// Names of a watch's work for its handler's messages, in tables and reports.
package enum MessageTitle {
    /// Hashing a part of a file, which every watch does whose handler takes files.
    package static let fileCheck = "file check"

    /// - Parameter button: the button, from 0.
    package static func text(_ kind: MessageWork.Kind, _ name: String, button: UInt8) -> String {
        switch kind {
        case .value: "\(name): value"
        case .cleared: "\(name): cleared"
        case .queued: "\(name): queued"
        case .passed: "\(name): passed"
        case .asked: "\(name): asked"
        case .answered: "\(name): answered"
        case .refused: "\(name): refused"
        case .late: "\(name): late"
        case .outOfReach: "\(name): out of reach"
        case .file: "file"
        case .button: "button \(button)"
        case .fileCheck: fileCheck
        }
    }
}

extension MessageWork {
    var title: String { MessageTitle.text(kind, name.description, button: button) }
}

import HostCalls
import Watch

/// What an image is told before it starts.
package struct LabSettings: Equatable, Sendable {
    package enum Purpose: Equatable, Sendable {
        /// To name the handlers.
        case naming
        /// To run with a handler.
        case running(Composition)
    }

    /// A handler by its place in the image, and what of it runs.
    package enum Composition: Equatable, Sendable {
        /// As its source composes it.
        case own(handler: Int)
        /// The same, with a report of when the handler's own code begins and returns.
        case reported(handler: Int)
        /// These of its stages, in this order.
        case chosen(handler: Int, [ChosenStage])
    }

    /// A stage by its place in its handler, wherever it is put.
    package struct ChosenStage: Equatable, Sendable {
        package var stage: Int
        package var placement: StagePlacement

        package init(stage: Int, placement: StagePlacement) {
            self.stage = stage
            self.placement = placement
        }
    }

    /// Randomness for the identity of a watch whose flash holds none.
    package var seed: UInt64
    package var purpose: Purpose

    package init(seed: UInt64, purpose: Purpose) {
        self.seed = seed
        self.purpose = purpose
    }

    /// The block of the call.
    var words: [UInt32] {
        var words = [UInt32](repeating: 0, count: HostBlock.words)
        words[HostBlock.Settings.seedLow] = UInt32(truncatingIfNeeded: seed)
        words[HostBlock.Settings.seedHigh] = UInt32(truncatingIfNeeded: seed >> 32)
        switch purpose {
        case .naming: words[HostBlock.Settings.purpose] = 1
        case .running(.own(let handler)):
            words[HostBlock.Settings.handler] = UInt32(handler)
            words[HostBlock.Settings.stageCount] = HostCall.nothing
        case .running(.reported(let handler)):
            words[HostBlock.Settings.handler] = UInt32(handler)
            words[HostBlock.Settings.stageCount] = HostCall.nothing
            words[HostBlock.Settings.handlerReports] = 1
        case .running(.chosen(let handler, let stages)):
            words[HostBlock.Settings.handler] = UInt32(handler)
            words[HostBlock.Settings.stageCount] = UInt32(stages.count)
            for (index, chosen) in stages.prefix(HostBlock.Settings.mostStages).enumerated() {
                let place = chosen.placement == .deferred ? HostBlock.Settings.deferred : 0
                words[HostBlock.Settings.stages + index] = UInt32(chosen.stage) | place
            }
        }
        return words
    }
}

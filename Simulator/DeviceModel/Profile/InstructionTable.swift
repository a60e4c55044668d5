import Watch

/// The instructions that parts of the firmware execute, counted in an emulator that executes the image.
///
/// What the processor does apart from taps and drawing, such as the session with the phone, is not in it.
package struct InstructionTable: Sendable, Equatable {
    /// From the touch interrupt to the first stage of the tap: looking for input, finding the row, beginning the tap.
    package var touch: Int
    /// From the end of a stage to whatever comes next in the handler: another stage, or its end.
    package var between: Int
    /// What comes before the first line of a run: asking for the lines that have changed.
    package var flush: Int
    /// A line of a run: finding it, framing it in a transfer buffer and handing that over to the panel's bus.
    package var line: Int
    /// After the last line of a run was sent, while it is on its way: noting which rows it shows.
    package var meanwhile: Int
    /// From the end of the last line's transfer to the report that it is on the panel.
    package var shown: Int
    /// Drawing a line outside of a stage, where rows are moved and one is drawn: counted on a full screen from which a row is removed.
    package var drawnLine: Int
    /// Every stage by its name.
    package var stages: [String: Int]

    /// The table for a list with this number of items left. Drawing the number takes longer the more digits it has, so there is
    /// a column for one digit, for two, for three and for four or more.
    package static func measured(items: Int) -> InstructionTable {
        switch items {
        case ..<11: measured[0]
        case ..<101: measured[1]
        case ..<1_001: measured[2]
        default: measured[3]
        }
    }
}

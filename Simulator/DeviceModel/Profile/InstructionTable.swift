import Watch

/// The instructions that parts of the firmware execute, counted in an emulator that executes the image.
///
/// What the processor does apart from taps and drawing, such as the session with the phone, is not in it.
public struct InstructionTable: Sendable, Equatable {
    /// From the touch interrupt to the first stage of the tap: looking for input, finding the row, beginning the tap.
    public var touch: Int
    /// From the end of a stage to whatever comes next in the handler: another stage, or its end.
    public var between: Int
    /// Sending a line: finding it and handing over its bytes, with its share of what goes before and after; counted on the two
    /// lines of a struck row.
    public var line: Int
    /// Drawing a line outside of a stage, where rows are moved and one is drawn: counted on a full screen of which a row goes.
    public var drawnLine: Int
    /// Every stage by its name.
    public var stages: [String: Int]

    /// A table of these counts.
    public init(touch: Int, between: Int, line: Int, drawnLine: Int, stages: [String: Int]) {
        self.touch = touch
        self.between = between
        self.line = line
        self.drawnLine = drawnLine
        self.stages = stages
    }

    /// The table for a list with so many items left. What draws the number takes longer the more digits it has, so there is
    /// a column for one digit, for two and for three or more.
    public static func measured(items: Int) -> InstructionTable {
        switch items {
        case ..<11: measured[0]
        case ..<101: measured[1]
        default: measured[2]
        }
    }
}

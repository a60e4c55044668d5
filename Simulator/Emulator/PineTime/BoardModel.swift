/// The board's model, with the devices in which the two models differ: the panel and the controls.
package enum BoardModel: Sendable {
    case pineTime(PineTimeFront)
    case reference(ReferenceFront)

    package static let pineTime = BoardModel.pineTime(PineTimeFront())
    package static let reference = BoardModel.reference(ReferenceFront())
}

package struct PineTimeFront: Sendable {
    package internal(set) var panel = ColourPanel()
    package internal(set) var backlight = Backlight()
    var isPressed = false
}

package struct ReferenceFront: Sendable {
    package internal(set) var panel = MemoryPanel()
    var crown = Crown()
    var isSidePressed = false
    var isCrownPressed = false
}

extension BoardModel {
    /// Calls the closure for this model. During the call, the enum does not hold the panel, so the panel's memory is
    /// not copied.
    @inline(__always)
    private mutating func change<Result>(
        _ pineTime: (inout PineTimeFront) -> Result, _ reference: (inout ReferenceFront) -> Result
    ) -> Result {
        let result: Result
        switch consume self {
        case .pineTime(var front):
            result = pineTime(&front)
            self = .pineTime(front)
        case .reference(var front):
            result = reference(&front)
            self = .reference(front)
        }
        return result
    }

    package var panelSize: (width: Int, height: Int) {
        switch self {
        case .pineTime: (ColourPanel.width, ColourPanel.height)
        case .reference: (MemoryPanel.width, MemoryPanel.height)
        }
    }

    /// Whether the panel keeps refreshing its lines, which takes power. False for a memory panel, which takes very little.
    var isPanelAwake: Bool {
        switch self {
        case .pineTime(let front): front.panel.isAwake
        case .reference: false
        }
    }

    func backlightCycles(_ line: Int, at cycle: UInt64) -> UInt64 {
        switch self {
        case .pineTime(let front): front.backlight.lines[line].cyclesOn(at: cycle)
        case .reference: 0
        }
    }

    func isPanelSelected(_ outputs: PinOutputs) -> Bool {
        switch self {
        case .pineTime: outputs.isLow(BoardPin.panelSelect)
        case .reference: outputs.isHigh(BoardPin.memoryPanelSelect)
        }
    }

    func picture(_ outputs: PinOutputs) -> VisiblePicture {
        switch self {
        case .pineTime(let front): front.panel.picture(light: front.backlight.level)
        case .reference(let front): front.panel.picture(shows: outputs.isHigh(BoardPin.memoryPanelShows))
        }
    }

    var firstMistake: PanelMistake? {
        switch self {
        case .pineTime(let front): front.panel.firstMistake
        case .reference(let front): front.panel.firstMistake
        }
    }

    var due: UInt64 {
        switch self {
        case .pineTime: .max
        case .reference(let front): front.crown.due
        }
    }

    mutating func advance(to cycle: UInt64) {
        change({ _ in }, { $0.crown.advance(to: cycle) })
    }

    mutating func takeWrites() -> [PanelWrite] {
        change({ $0.panel.takeWrites() }, { $0.panel.takeWrites() })
    }

    mutating func set(_ outputs: PinOutputs, at cycle: UInt64) {
        change(
            {
                $0.panel.setReset(low: outputs.isLow(BoardPin.panelReset), at: cycle)
                $0.backlight.set(outputs, at: cycle)
            }, { $0.panel.select(outputs.isHigh(BoardPin.memoryPanelSelect)) })
    }

    mutating func take(_ bytes: [UInt8], _ outputs: PinOutputs, at cycle: UInt64, cyclesPerByte: UInt64) {
        let isData = !outputs.isLow(BoardPin.panelData)
        change(
            { $0.panel.take(bytes, isData: isData, at: cycle, cyclesPerByte: cyclesPerByte) },
            { $0.panel.take(bytes, at: cycle, cyclesPerByte: cyclesPerByte) })
    }

    mutating func set(_ button: BoardButton, pressed: Bool) throws(EmulatorError) {
        switch (self, button) {
        case (.pineTime, .crown): throw .noCrown
        case (.pineTime, .side), (.reference, .side):
            change({ $0.isPressed = pressed }, { $0.isSidePressed = pressed })
        case (.reference, .crown): change({ _ in }, { $0.isCrownPressed = pressed })
        }
    }

    mutating func turnCrown(detents: Int, at cycle: UInt64) throws(EmulatorError) {
        guard case .reference = self else { throw .noCrown }
        change({ _ in }, { $0.crown.turn(detents: detents, at: cycle) })
    }

    func drive(_ inputs: inout PinLevels, _ outputs: PinOutputs) {
        switch self {
        case .pineTime(let front):
            guard front.isPressed, let supply = outputs.level(BoardPin.buttonSupply) else { return }
            inputs.drive(BoardPin.button, high: supply)
        case .reference(let front):
            inputs.drive(BoardPin.sideButton, high: !front.isSidePressed)
            inputs.drive(BoardPin.crownPress, high: !front.isCrownPressed)
            inputs.drive(BoardPin.crownA, high: front.crown.contacts.a)
            inputs.drive(BoardPin.crownB, high: front.crown.contacts.b)
        }
    }
}

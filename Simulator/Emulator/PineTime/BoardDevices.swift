/// Which pins are driven, and to which levels. Bit n is pin P0.n.
package struct PinLevels: Equatable, Sendable {
    package var driven: UInt32 = 0
    /// The levels of the pins in `driven`; 0 elsewhere.
    package var levels: UInt32 = 0

    package init() {}
}

/// The devices on a watch's board. The nRF52832 reaches them through its pins, SPI and I2C.
package struct BoardDevices: Sendable {
    /// The I2C device that has acknowledged its address, and what the next byte is for.
    private enum Conversation: Equatable {
        case none
        /// The next byte is the number of a register.
        case pointing(Device)
        case writing(Device)
        case reading(Device)
    }

    private enum Device: Equatable {
        case touch, accelerometer
    }

    /// The pins that the board's devices and controls drive at present, and their levels.
    package private(set) var inputs = PinLevels()
    /// The next cycle at which a device changes without a bus access or an input; `.max` if no change is planned.
    private(set) var due: UInt64 = .max
    package var absent: BoardParts = [] {
        didSet { update() }
    }

    package private(set) var model: BoardModel
    package var flash: SerialFlash
    package var motor = Motor()
    package private(set) var battery = Battery()
    private var touch = TouchController()
    /// The cycle at which the touch controller's interrupt line last fell; nil if it has not.
    package var touchEdge: UInt64? { touch.lastEdge }
    private var accelerometer = Accelerometer()
    private var outputs = PinOutputs()
    private var conversation = Conversation.none

    package init(_ model: BoardModel = .pineTime, flash: SerialFlash = SerialFlash()) {
        (self.model, self.flash) = (model, flash)
        update()
    }

    /// Updates `inputs` and `due` after a device, a control or an output has changed.
    private mutating func update() {
        due = min(touch.due, model.due)
        var levels = PinLevels()
        levels.drive(BoardPin.data, high: true)
        levels.drive(BoardPin.clock, high: true)
        levels.drive(BoardPin.charging, high: battery.charger != .charging)
        levels.drive(BoardPin.power, high: battery.charger == .unplugged)
        if !absent.contains(.touch), let level = touch.interruptLevel {
            levels.drive(BoardPin.touchInterrupt, high: level)
        }
        if !absent.contains(.accelerometer), let level = accelerometer.interruptLevel {
            levels.drive(BoardPin.accelerometerInterrupt, high: level)
        }
        model.drive(&levels, outputs)
        inputs = levels
    }

    // MARK: Time and pins

    mutating func advance(to cycle: UInt64) {
        guard due <= cycle else { return }
        touch.advance(to: cycle)
        model.advance(to: cycle)
        update()
    }

    /// Handles a change of the nRF52832's outputs.
    ///
    /// - Parameters:
    ///   - levels: bit n is the level of pin n, if it is an output.
    ///   - outputs: the pins that the nRF52832 drives.
    mutating func outputsChanged(_ levels: UInt32, outputs driven: UInt32, at cycle: UInt64) {
        let new = PinOutputs(levels: levels & driven, outputs: driven)
        guard new != outputs else { return }
        advance(to: cycle)
        let wasSelected = outputs.isLow(BoardPin.flashSelect)
        outputs = new
        if wasSelected, !outputs.isLow(BoardPin.flashSelect) { flash.deselect(at: cycle) }
        touch.setReset(low: outputs.isLow(BoardPin.touchReset), at: cycle)
        motor.set(on: outputs.isLow(BoardPin.motor), at: cycle)
        model.set(outputs, at: cycle)
        update()
    }

    /// The voltage of an analog input (AIN0 to AIN7), in millivolts.
    func millivolts(of input: Int) -> Int { input == BoardPin.batteryInput ? battery.millivolts / 2 : 0 }

    // MARK: SPI

    /// Exchanges bytes with the device whose chip select is active. The first byte begins at `cycle`. Each byte begins with its
    /// highest bit. If the firmware receives more bytes than it sends, the caller fills up `sent` with the over-read character,
    /// ORC.
    ///
    /// - Returns: as many bytes as `sent` has. Each is 0xFF unless the flash chip is selected and present.
    mutating func exchange(_ sent: [UInt8], at cycle: UInt64, cyclesPerByte: UInt64) -> [UInt8] {
        if model.isPanelSelected(outputs), !absent.contains(.panel) {
            model.take(sent, outputs, at: cycle, cyclesPerByte: cyclesPerByte)
        }
        if outputs.isLow(BoardPin.flashSelect), !absent.contains(.flash) {
            return flash.exchange(sent, at: cycle, cyclesPerByte: cyclesPerByte)
        }
        return [UInt8](repeating: 0xFF, count: sent.count)
    }

    // MARK: I2C

    /// Handles a start or repeated start, and the 7-bit address after it.
    ///
    /// - Returns: whether a device acknowledges the address.
    mutating func start(_ address: UInt8, reads: Bool, at cycle: UInt64) -> Bool {
        advance(to: cycle)
        guard let device = device(at: address, cycle) else {
            conversation = .none
            return false
        }
        conversation = reads ? .reading(device) : .pointing(device)
        return true
    }

    private func device(at address: UInt8, _ cycle: UInt64) -> Device? {
        switch address {
        case 0x15: !absent.contains(.touch) && touch.answers(at: cycle) ? .touch : nil
        case 0x18: absent.contains(.accelerometer) ? nil : .accelerometer
        case _: nil
        }
    }

    /// Passes a byte from the firmware to the I2C device that acknowledged the last address.
    ///
    /// - Returns: whether the device acknowledges the byte.
    mutating func take(_ byte: UInt8, at cycle: UInt64) -> Bool {
        advance(to: cycle)
        switch conversation {
        case .none, .reading: return false
        case .pointing(let device):
            switch device {
            case .touch: touch.point(to: byte)
            case .accelerometer: accelerometer.point(to: byte)
            }
            conversation = .writing(device)
        case .writing(let device):
            switch device {
            case .touch: touch.write(byte)
            case .accelerometer: accelerometer.write(byte, at: cycle)
            }
            update()
        }
        return true
    }

    mutating func give(at cycle: UInt64) -> UInt8 {
        advance(to: cycle)
        switch conversation {
        case .none, .pointing, .writing: return 0xFF
        case .reading(.touch): return touch.read()
        case .reading(.accelerometer):
            defer { update() }
            return accelerometer.read(at: cycle)
        }
    }

    mutating func stop(at cycle: UInt64) { conversation = .none }

    // MARK: Wearer

    /// Applies an input at a cycle. Throws if the board has no such control, if a value is out of range, or if the input needs
    /// a finger on the panel and there is none. An input that throws has no effect.
    package mutating func apply(_ input: WearerInput, at cycle: UInt64) throws(EmulatorError) {
        advance(to: cycle)
        switch input {
        case .touchDown(let x, let y): try put(x, y, at: cycle)
        case .touchMove(let x, let y):
            guard touch.hasFinger else { throw .noFinger }
            try put(x, y, at: cycle)
        case .touchUp:
            guard touch.hasFinger else { throw .noFinger }
            touch.lift()
        case .press(let button): try model.set(button, pressed: true)
        case .release(let button): try model.set(button, pressed: false)
        case .turnCrown(let detents): try model.turnCrown(detents: detents, at: cycle)
        case .charger(let charger): battery.charger = charger
        case .battery(let percent): try battery.set(percent: percent)
        case .motion(let motion): try accelerometer.move(motion, at: cycle)
        }
        update()
    }

    private mutating func put(_ x: Int, _ y: Int, at cycle: UInt64) throws(EmulatorError) {
        let (width, height) = model.panelSize
        guard 0..<width ~= x, 0..<height ~= y else {
            throw .outsidePanel(x: x, y: y, width: width, height: height)
        }
        touch.put(x: x, y: y, at: cycle)
    }

    // MARK: Panel

    package var picture: VisiblePicture { model.picture(outputs) }

    /// The firmware's first violation of the panel's datasheet; nil if there was none.
    package var firstMistake: PanelMistake? { model.firstMistake }

    package mutating func takePanelWrites() -> [PanelWrite] { model.takeWrites() }
}

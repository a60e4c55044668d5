// Made by Hardware/build --stages from the firmware's image: do not edit.

extension InstructionTable {
    /// Counted for lists of 8, 32, 128 and 2,000 items, on the image in QEMU, at one instruction for 16 ns of its time.
    static let measured = [
        InstructionTable(
            touch: 335, between: 80, flush: 42, line: 110, meanwhile: 210, shown: 42, drawnLine: 462,
            stages: [
                "list model": 408,
                "row removal": 95,
                "haptic": 228,
                "message to the phone": 1408,
                "remaining count": 14618,
                "placeholder": 75,
                "complication": 440,
            ]),
        InstructionTable(
            touch: 335, between: 80, flush: 42, line: 110, meanwhile: 210, shown: 42, drawnLine: 509,
            stages: [
                "list model": 408,
                "row removal": 95,
                "haptic": 228,
                "message to the phone": 1408,
                "remaining count": 15320,
                "placeholder": 75,
                "complication": 440,
            ]),
        InstructionTable(
            touch: 335, between: 80, flush: 42, line: 110, meanwhile: 210, shown: 42, drawnLine: 526,
            stages: [
                "list model": 408,
                "row removal": 95,
                "haptic": 228,
                "message to the phone": 1408,
                "remaining count": 16248,
                "placeholder": 75,
                "complication": 440,
            ]),
        InstructionTable(
            touch: 335, between: 80, flush: 42, line: 110, meanwhile: 210, shown: 42, drawnLine: 526,
            stages: [
                "list model": 408,
                "row removal": 95,
                "haptic": 228,
                "message to the phone": 1408,
                "remaining count": 17132,
                "placeholder": 75,
                "complication": 440,
            ]),
    ]
}

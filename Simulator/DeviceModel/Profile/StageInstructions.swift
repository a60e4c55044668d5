// Made by Hardware/build --stages from the firmware's image: do not edit.

extension InstructionTable {
    /// Counted for lists of 8, 32 and 128 items, on the image in QEMU, at one instruction for 16 ns of its time.
    static let measured = [
        InstructionTable(
            touch: 332, between: 80, flush: 42, line: 110, meanwhile: 210, shown: 42, drawnLine: 378,
            stages: [
                "list model": 410,
                "row removal": 95,
                "haptic": 225,
                "message to the phone": 1408,
                "remaining count": 6985,
                "placeholder": 75,
                "complication": 440,
            ]),
        InstructionTable(
            touch: 332, between: 80, flush: 42, line: 110, meanwhile: 210, shown: 42, drawnLine: 408,
            stages: [
                "list model": 410,
                "row removal": 95,
                "haptic": 225,
                "message to the phone": 1408,
                "remaining count": 7688,
                "placeholder": 75,
                "complication": 440,
            ]),
        InstructionTable(
            touch: 332, between: 80, flush: 42, line: 110, meanwhile: 210, shown: 42, drawnLine: 422,
            stages: [
                "list model": 410,
                "row removal": 95,
                "haptic": 225,
                "message to the phone": 1408,
                "remaining count": 8615,
                "placeholder": 72,
                "complication": 440,
            ]),
    ]
}

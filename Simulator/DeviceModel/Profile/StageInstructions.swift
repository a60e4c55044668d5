// Made by Hardware/build --stages from the firmware's image: do not edit.

extension InstructionTable {
    /// Counted for lists of 8, 32, 128 and 2,000 items, on the image in QEMU, at one instruction for 16 ns of its time.
    static let measured = [
        InstructionTable(
            touch: 260, between: 80, flush: 50, line: 113, meanwhile: 248, shown: 42, drawnLine: 294,
            stages: [
                "list model": 110,
                "strike-through": 322,
                "row removal": 88,
                "haptic": 155,
                "message to the phone": 1730,
                "remaining count": 13832,
                "placeholder": 75,
                "complication": 220,
            ]),
        InstructionTable(
            touch: 260, between: 80, flush: 50, line: 113, meanwhile: 248, shown: 42, drawnLine: 298,
            stages: [
                "list model": 110,
                "strike-through": 322,
                "row removal": 88,
                "haptic": 155,
                "message to the phone": 1795,
                "remaining count": 14532,
                "placeholder": 75,
                "complication": 220,
            ]),
        InstructionTable(
            touch: 260, between: 80, flush: 50, line: 113, meanwhile: 248, shown: 42, drawnLine: 312,
            stages: [
                "list model": 110,
                "strike-through": 322,
                "row removal": 88,
                "haptic": 155,
                "message to the phone": 1730,
                "remaining count": 15462,
                "placeholder": 75,
                "complication": 220,
            ]),
        InstructionTable(
            touch: 260, between: 80, flush: 50, line: 113, meanwhile: 248, shown: 42, drawnLine: 312,
            stages: [
                "list model": 110,
                "strike-through": 322,
                "row removal": 88,
                "haptic": 155,
                "message to the phone": 1730,
                "remaining count": 16350,
                "placeholder": 75,
                "complication": 220,
            ]),
    ]
}

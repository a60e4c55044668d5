// Made by Hardware/build --stages from the firmware's image: do not edit.

extension InstructionTable {
    /// Counted for lists of 8, 32, 128 and 2,000 items, on the image in QEMU, at one instruction for 16 ns of its time.
    static let measured = [
        InstructionTable(
            touch: 335, between: 78, flush: 50, line: 113, meanwhile: 250, shown: 42, drawnLine: 328,
            stages: [
                "list model": 112,
                "strike-through": 352,
                "row removal": 90,
                "haptic": 155,
                "message to the phone": 1700,
                "remaining count": 14578,
                "placeholder": 75,
                "complication": 205,
            ]),
        InstructionTable(
            touch: 335, between: 78, flush: 50, line: 113, meanwhile: 250, shown: 42, drawnLine: 333,
            stages: [
                "list model": 112,
                "strike-through": 352,
                "row removal": 90,
                "haptic": 155,
                "message to the phone": 1765,
                "remaining count": 15280,
                "placeholder": 75,
                "complication": 205,
            ]),
        InstructionTable(
            touch: 335, between: 78, flush: 50, line: 113, meanwhile: 250, shown: 42, drawnLine: 350,
            stages: [
                "list model": 112,
                "strike-through": 352,
                "row removal": 90,
                "haptic": 155,
                "message to the phone": 1700,
                "remaining count": 16210,
                "placeholder": 75,
                "complication": 205,
            ]),
        InstructionTable(
            touch: 335, between: 78, flush: 50, line: 113, meanwhile: 250, shown: 42, drawnLine: 350,
            stages: [
                "list model": 112,
                "strike-through": 352,
                "row removal": 90,
                "haptic": 155,
                "message to the phone": 1700,
                "remaining count": 17098,
                "placeholder": 75,
                "complication": 205,
            ]),
    ]
}

// Made by Hardware/build --stages from the firmware's image: do not edit.

extension InstructionTable {
    /// Counted for lists of 8, 32, 128 and 2,000 items, on the image in QEMU, at one instruction for 16 ns of its time.
    static let measured = [
        InstructionTable(
            touch: 352, between: 80, flush: 42, line: 98, meanwhile: 210, shown: 42, drawnLine: 379,
            stages: [
                "list model": 410,
                "row removal": 95,
                "haptic": 225,
                "message to the phone": 1410,
                "remaining count": 14620,
                "placeholder": 72,
                "complication": 440,
            ]),
        InstructionTable(
            touch: 352, between: 80, flush: 42, line: 98, meanwhile: 210, shown: 42, drawnLine: 409,
            stages: [
                "list model": 410,
                "row removal": 95,
                "haptic": 225,
                "message to the phone": 1410,
                "remaining count": 15320,
                "placeholder": 75,
                "complication": 440,
            ]),
        InstructionTable(
            touch: 352, between: 80, flush: 42, line: 98, meanwhile: 210, shown: 42, drawnLine: 423,
            stages: [
                "list model": 410,
                "row removal": 95,
                "haptic": 225,
                "message to the phone": 1410,
                "remaining count": 16248,
                "placeholder": 75,
                "complication": 440,
            ]),
        InstructionTable(
            touch: 352, between: 80, flush: 42, line: 98, meanwhile: 210, shown: 42, drawnLine: 423,
            stages: [
                "list model": 410,
                "row removal": 95,
                "haptic": 225,
                "message to the phone": 1410,
                "remaining count": 17135,
                "placeholder": 72,
                "complication": 440,
            ]),
    ]
}

// Made by Hardware/build --stages from the firmware's image: do not edit.

extension InstructionTable {
    /// Counted for lists of 8, 32, 128 and 2,000 items, on the image in QEMU, at one instruction for 16 ns of its time.
    static let measured = [
        InstructionTable(
            touch: 265, between: 78, flush: 50, line: 113, meanwhile: 250, shown: 42, drawnLine: 296,
            stages: [
                "list model": 112,
                "strike-through": 322,
                "row removal": 85,
                "haptic": 155,
                "message to the phone": 1732,
                "remaining count": 14580,
                "placeholder": 75,
                "complication": 222,
            ]),
        InstructionTable(
            touch: 265, between: 78, flush: 50, line: 113, meanwhile: 250, shown: 42, drawnLine: 300,
            stages: [
                "list model": 112,
                "strike-through": 322,
                "row removal": 85,
                "haptic": 155,
                "message to the phone": 1798,
                "remaining count": 15282,
                "placeholder": 75,
                "complication": 222,
            ]),
        InstructionTable(
            touch: 265, between: 78, flush: 50, line: 113, meanwhile: 250, shown: 42, drawnLine: 314,
            stages: [
                "list model": 112,
                "strike-through": 322,
                "row removal": 85,
                "haptic": 155,
                "message to the phone": 1732,
                "remaining count": 16210,
                "placeholder": 75,
                "complication": 222,
            ]),
        InstructionTable(
            touch: 265, between: 78, flush: 50, line: 113, meanwhile: 250, shown: 42, drawnLine: 314,
            stages: [
                "list model": 112,
                "strike-through": 322,
                "row removal": 85,
                "haptic": 155,
                "message to the phone": 1732,
                "remaining count": 17098,
                "placeholder": 75,
                "complication": 222,
            ]),
    ]
}

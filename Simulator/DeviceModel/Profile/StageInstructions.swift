// Made by Hardware/build --stages from the firmware's image: do not edit.

extension InstructionTable {
    /// Counted for lists of 8, 32, 128 and 2,000 items, on the image in QEMU, at one instruction for 16 ns of its time.
    static let measured = [
        InstructionTable(
            touch: 292, between: 80, flush: 48, line: 110, meanwhile: 228, shown: 42, drawnLine: 296,
            stages: [
                "list model": 110,
                "strike-through": 325,
                "row removal": 85,
                "message to the phone": 1850,
                "haptic": 168,
                "remaining count": 13810,
                "placeholder": 80,
                "complication": 222,
            ]),
        InstructionTable(
            touch: 292, between: 80, flush: 48, line: 110, meanwhile: 228, shown: 42, drawnLine: 299,
            stages: [
                "list model": 110,
                "strike-through": 325,
                "row removal": 85,
                "message to the phone": 1850,
                "haptic": 168,
                "remaining count": 14512,
                "placeholder": 80,
                "complication": 222,
            ]),
        InstructionTable(
            touch: 292, between: 80, flush: 48, line: 110, meanwhile: 228, shown: 42, drawnLine: 313,
            stages: [
                "list model": 110,
                "strike-through": 325,
                "row removal": 85,
                "message to the phone": 1850,
                "haptic": 168,
                "remaining count": 15442,
                "placeholder": 80,
                "complication": 222,
            ]),
        InstructionTable(
            touch: 292, between: 80, flush: 48, line: 110, meanwhile: 228, shown: 42, drawnLine: 313,
            stages: [
                "list model": 110,
                "strike-through": 325,
                "row removal": 85,
                "message to the phone": 1850,
                "haptic": 168,
                "remaining count": 16330,
                "placeholder": 80,
                "complication": 222,
            ]),
    ]
}

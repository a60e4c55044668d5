// Made by Hardware/build --stages from the firmware's image: do not edit.

extension InstructionTable {
    /// Counted for lists of 8, 32 and 128 items, on the image in QEMU, at one instruction for 16 ns of its time.
    static let measured = [
        InstructionTable(
            touch: 688, between: 135, line: 660, drawnLine: 18,
            stages: [
                "list model": 2772,
                "row removal": 150,
                "haptic": 392,
                "message to the phone": 1520,
                "remaining count": 6895,
                "placeholder": 130,
                "complication": 1072,
            ]),
        InstructionTable(
            touch: 688, between: 135, line: 660, drawnLine: 48,
            stages: [
                "list model": 2772,
                "row removal": 150,
                "haptic": 392,
                "message to the phone": 1520,
                "remaining count": 7595,
                "placeholder": 130,
                "complication": 1070,
            ]),
        InstructionTable(
            touch: 688, between: 135, line: 660, drawnLine: 63,
            stages: [
                "list model": 2772,
                "row removal": 150,
                "haptic": 392,
                "message to the phone": 1520,
                "remaining count": 8522,
                "placeholder": 130,
                "complication": 1070,
            ]),
    ]
}

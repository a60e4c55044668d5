// Made by Hardware/build --stages from the firmware's image: do not edit.

extension InstructionTable {
    /// Counted for lists of 8, 32, 128 and 2,000 items, on the image in QEMU, at one instruction for 16 ns of its time.
    static let measured = [
        InstructionTable(
            touch: 332, between: 80, flush: 42, line: 110, meanwhile: 225, shown: 42, drawnLine: 328,
            stages: [
                "list model": 378,
                "row removal": 95,
                "haptic": 228,
                "message to the phone": 1572,
                "remaining count": 14622,
                "placeholder": 72,
                "complication": 440,
            ]),
        InstructionTable(
            touch: 332, between: 80, flush: 42, line: 110, meanwhile: 225, shown: 42, drawnLine: 332,
            stages: [
                "list model": 378,
                "row removal": 95,
                "haptic": 228,
                "message to the phone": 1640,
                "remaining count": 15325,
                "placeholder": 72,
                "complication": 440,
            ]),
        InstructionTable(
            touch: 332, between: 80, flush: 42, line: 110, meanwhile: 225, shown: 42, drawnLine: 350,
            stages: [
                "list model": 378,
                "row removal": 95,
                "haptic": 228,
                "message to the phone": 1572,
                "remaining count": 16250,
                "placeholder": 72,
                "complication": 440,
            ]),
        InstructionTable(
            touch: 332, between: 80, flush: 42, line: 110, meanwhile: 225, shown: 42, drawnLine: 350,
            stages: [
                "list model": 378,
                "row removal": 95,
                "haptic": 228,
                "message to the phone": 1572,
                "remaining count": 17138,
                "placeholder": 72,
                "complication": 440,
            ]),
    ]
}

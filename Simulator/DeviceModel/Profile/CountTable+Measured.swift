// Made by Hardware/build --stages from the image for the lab: do not edit.

extension CountTable {
    package static let countedOn = "2026-11-29"

    /// Instructions and cycles on lists of 8, 32, 128, 2000 items: the means of 24 taps on the processor of `memory-lcd`.
    static let measuredParts: [TapPart: [CodeCount]] = [
        .touch: columns(421, 975, 421, 975, 421, 975, 421, 975),
        .between: columns(61, 149, 61, 149, 61, 149, 61, 149),
        .flush: columns(91, 207, 91, 207, 91, 207, 91, 207),
        .line: columns(288, 580, 288, 580, 288, 580, 288, 580),
        .meanwhile: columns(248, 491, 248, 491, 248, 491, 248, 491),
        .shown: columns(326, 829, 326, 829, 326, 829, 326, 829),
        .removal: columns(15135, 29639, 15375, 30167, 16335, 32279, 16345, 32301),
        .news: columns(9163, 20245, 8598, 19194, 9851, 21851, 14761, 32807),
        .drawnLine: columns(6125, 11261, 6131, 11290, 6150, 11330, 6164, 11362),
        .datagram: columns(37943, 87513, 38665, 89190, 38687, 89229, 30866, 71146),
        .wake: columns(3688, 8739, 3689, 8741, 3657, 8664, 3657, 8664),
    ]

    static let measuredStages: [String: [CodeCount]] = [
        "list model": columns(101, 246, 101, 246, 101, 246, 101, 246),
        "strike-through": columns(341, 688, 341, 688, 341, 688, 341, 688),
        "row removal": columns(78, 203, 78, 203, 78, 203, 78, 203),
        "message to the phone": columns(6264, 14381, 6201, 14220, 6326, 14543, 6076, 13898),
        "haptic": columns(155, 374, 155, 374, 155, 374, 155, 374),
        "remaining count": columns(2004, 3781, 2007, 3748, 2011, 3742, 2034, 3831),
        "placeholder": columns(69, 180, 69, 180, 69, 180, 69, 180),
        "complication": columns(350, 763, 350, 763, 350, 763, 350, 763),
    ]
}

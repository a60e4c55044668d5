// Made by Hardware/build --stages from the image for the lab: do not edit.

extension CountTable {
    package static let countedOn = "2026-11-28"

    /// Instructions and cycles on lists of 8, 32, 128, 2000 items: the means of 24 taps on the processor of `memory-lcd`.
    static let measuredParts: [TapPart: [CodeCount]] = [
        .touch: columns(439, 1084, 439, 1084, 439, 1084, 439, 1084),
        .between: columns(43, 106, 43, 106, 43, 106, 43, 106),
        .flush: columns(118, 261, 118, 261, 118, 261, 118, 261),
        .line: columns(101, 154, 101, 154, 101, 154, 101, 154),
        .meanwhile: columns(276, 482, 276, 482, 276, 482, 276, 482),
        .shown: columns(10, 16, 10, 16, 10, 16, 10, 16),
        .removal: columns(14886, 23106, 15126, 23442, 16086, 24786, 16096, 24800),
        .news: columns(9334, 15279, 9605, 15917, 10586, 17391, 12641, 20673),
        .drawnLine: columns(5875, 7672, 5882, 7694, 5900, 7725, 5915, 7750),
        .datagram: columns(10410, 21913, 10472, 21995, 10476, 22001, 10523, 22085),
        .wake: columns(1536, 3447, 1536, 3447, 1536, 3448, 1536, 3448),
    ]

    static let measuredStages: [String: [CodeCount]] = [
        "list model": columns(80, 182, 80, 182, 80, 182, 80, 182),
        "strike-through": columns(301, 546, 301, 546, 301, 546, 301, 546),
        "row removal": columns(57, 145, 57, 145, 57, 145, 57, 145),
        "message to the phone": columns(1575, 3552, 1578, 3555, 1575, 3552, 1573, 3549),
        "haptic": columns(61, 134, 61, 134, 61, 134, 61, 134),
        "remaining count": columns(1916, 2718, 1916, 2686, 1926, 2695, 1936, 2751),
        "placeholder": columns(50, 125, 50, 125, 50, 125, 50, 125),
        "complication": columns(333, 697, 333, 697, 333, 697, 333, 697),
    ]
}

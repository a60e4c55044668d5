// Made by Hardware/build --stages from the image for the lab: do not edit.

extension CountTable {
    /// When it was counted.
    package static let countedOn = "2026-11-28"

    /// Instructions and cycles on lists of 8, 32, 128, 2000 items: the means of 24 taps on the processor of `memory-lcd`.
    static let measuredParts: [TapPart: [CodeCount]] = [
        .touch: columns(443, 1078, 443, 1078, 443, 1078, 443, 1078),
        .between: columns(43, 106, 43, 106, 43, 106, 43, 106),
        .flush: columns(117, 252, 117, 252, 117, 252, 117, 252),
        .line: columns(101, 153, 101, 153, 101, 153, 101, 153),
        .meanwhile: columns(279, 489, 279, 489, 279, 489, 279, 489),
        .shown: columns(9, 17, 9, 17, 9, 17, 9, 17),
        .removal: columns(14886, 23003, 15126, 23339, 16086, 24683, 16096, 24697),
        .news: columns(9336, 15386, 9607, 16046, 10588, 17586, 12643, 20984),
        .drawnLine: columns(5876, 7666, 5882, 7686, 5901, 7717, 5915, 7742),
        .datagram: columns(10397, 21858, 10459, 21939, 10463, 21946, 10510, 22030),
        .wake: columns(1531, 3398, 1531, 3399, 1532, 3399, 1532, 3399),
    ]

    static let measuredStages: [String: [CodeCount]] = [
        "list model": columns(80, 179, 80, 179, 80, 179, 80, 179),
        "strike-through": columns(301, 546, 301, 546, 301, 546, 301, 546),
        "row removal": columns(57, 145, 57, 145, 57, 145, 57, 145),
        "message to the phone": columns(1575, 3537, 1578, 3540, 1575, 3538, 1573, 3535),
        "haptic": columns(61, 137, 61, 137, 61, 137, 61, 137),
        "remaining count": columns(1918, 2726, 1918, 2697, 1928, 2706, 1938, 2762),
        "placeholder": columns(50, 119, 50, 119, 50, 119, 50, 119),
        "complication": columns(333, 703, 333, 703, 333, 703, 333, 703),
    ]
}

// Made by Hardware/build --stages from the image for the lab: do not edit.

extension CountTable {
    /// When it was counted.
    package static let countedOn = "2026-11-28"

    /// Instructions and cycles on lists of 8, 32, 128, 2000 items: the means of 24 taps on the processor of `memory-lcd`.
    static let measuredParts: [TapPart: [CodeCount]] = [
        .touch: columns(441, 1095, 441, 1095, 441, 1095, 441, 1095),
        .between: columns(42, 112, 42, 112, 42, 112, 42, 112),
        .flush: columns(118, 262, 118, 262, 118, 262, 118, 262),
        .line: columns(101, 156, 101, 156, 101, 156, 101, 156),
        .meanwhile: columns(277, 492, 277, 492, 277, 492, 277, 492),
        .shown: columns(9, 18, 9, 18, 9, 18, 9, 18),
        .removal: columns(14862, 22573, 15102, 22933, 16062, 24373, 16072, 24388),
        .news: columns(9184, 15220, 9455, 15863, 10436, 17355, 12483, 20688),
        .drawnLine: columns(5895, 7677, 5902, 7696, 5921, 7727, 5935, 7751),
        .datagram: columns(10419, 21988, 10480, 22071, 10484, 22077, 10532, 22162),
        .wake: columns(1503, 3342, 1503, 3342, 1504, 3343, 1504, 3343),
    ]

    static let measuredStages: [String: [CodeCount]] = [
        "list model": columns(80, 188, 80, 188, 80, 188, 80, 188),
        "strike-through": columns(301, 559, 301, 559, 301, 559, 301, 559),
        "row removal": columns(57, 143, 57, 143, 57, 143, 57, 143),
        "message to the phone": columns(1550, 3492, 1553, 3495, 1550, 3492, 1548, 3489),
        "haptic": columns(61, 129, 61, 129, 61, 129, 61, 129),
        "remaining count": columns(1918, 2722, 1918, 2688, 1928, 2694, 1938, 2747),
        "placeholder": columns(50, 119, 50, 119, 50, 119, 50, 119),
        "complication": columns(333, 689, 333, 689, 333, 689, 333, 689),
    ]
}

// Made by Hardware/build --stages from the image for the lab: do not edit.

extension CountTable {
    package static let countedOn = "2026-11-29"

    /// Instructions and cycles on lists of 8, 32, 128, 2000 items: the means of 24 taps on the processor of `memory-lcd`.
    static let measuredParts: [TapPart: [CodeCount]] = [
        .touch: columns(418, 975, 418, 975, 418, 975, 418, 975),
        .between: columns(61, 147, 61, 147, 61, 147, 61, 147),
        .flush: columns(91, 209, 91, 209, 91, 209, 91, 209),
        .line: columns(288, 572, 288, 572, 288, 572, 288, 572),
        .meanwhile: columns(248, 493, 248, 493, 248, 493, 248, 493),
        .shown: columns(326, 873, 326, 873, 326, 873, 326, 873),
        .removal: columns(15135, 29664, 15375, 30240, 16427, 32759, 16345, 32568),
        .news: columns(9076, 20332, 8668, 19731, 10333, 23318, 14300, 32008),
        .drawnLine: columns(6122, 10767, 6128, 10796, 6147, 10837, 6161, 10869),
        .datagram: columns(38085, 87533, 38616, 88703, 38509, 88424, 30131, 69119),
        .wake: columns(5058, 11881, 5056, 11876, 5054, 11872, 5035, 11827),
    ]

    static let measuredStages: [String: [CodeCount]] = [
        "list model": columns(101, 242, 101, 242, 101, 242, 101, 242),
        "strike-through": columns(341, 681, 341, 681, 341, 681, 341, 681),
        "row removal": columns(78, 203, 78, 203, 78, 203, 78, 203),
        "message to the phone": columns(6135, 13923, 6076, 13772, 6076, 13773, 6194, 14075),
        "haptic": columns(155, 378, 155, 378, 155, 378, 155, 378),
        "remaining count": columns(2011, 3781, 2014, 3758, 2024, 3770, 2027, 3799),
        "placeholder": columns(69, 176, 69, 176, 69, 176, 69, 176),
        "complication": columns(350, 757, 350, 757, 350, 757, 350, 757),
    ]
}

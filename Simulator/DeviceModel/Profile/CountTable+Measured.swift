// Made by Hardware/build --stages from the image for the lab: do not edit.

extension CountTable {
    /// When it was counted.
    package static let countedOn = "2026-11-28"

    /// Instructions and cycles on lists of 8, 32, 128, 2000 items: the means of 24 taps on the processor of `memory-lcd`.
    static let measuredParts: [TapPart: [CodeCount]] = [
        .touch: columns(435, 1049, 435, 1049, 435, 1049, 435, 1049),
        .between: columns(39, 98, 39, 98, 39, 98, 39, 98),
        .flush: columns(115, 252, 115, 252, 115, 252, 115, 252),
        .line: columns(101, 157, 101, 157, 101, 157, 101, 157),
        .meanwhile: columns(277, 491, 277, 491, 277, 491, 277, 491),
        .shown: columns(5, 6, 5, 6, 5, 6, 5, 6),
        .removal: columns(14857, 22496, 15097, 22856, 16057, 24296, 16067, 24311),
        .news: columns(9361, 15240, 9632, 15880, 10613, 17373, 12668, 20693),
        .drawnLine: columns(5875, 7634, 5881, 7654, 5900, 7684, 5914, 7708),
        .datagram: columns(10282, 21779, 10344, 21862, 10348, 21868, 10395, 21953),
        .wake: columns(1502, 3336, 1502, 3336, 1503, 3336, 1503, 3336),
    ]

    static let measuredStages: [String: [CodeCount]] = [
        "list model": columns(76, 176, 76, 176, 76, 176, 76, 176),
        "strike-through": columns(297, 546, 297, 546, 297, 546, 297, 546),
        "row removal": columns(53, 135, 53, 135, 53, 135, 53, 135),
        "message to the phone": columns(1557, 3527, 1560, 3530, 1557, 3527, 1555, 3524),
        "haptic": columns(57, 121, 57, 121, 57, 121, 57, 121),
        "remaining count": columns(1914, 2712, 1914, 2678, 1924, 2684, 1934, 2734),
        "placeholder": columns(46, 106, 46, 106, 46, 106, 46, 106),
        "complication": columns(329, 685, 329, 685, 329, 685, 329, 685),
    ]
}

// Made by Hardware/build --stages from the image for the lab: do not edit.

extension CountTable {
    /// When it was counted.
    package static let countedOn = "2026-11-28"

    /// Instructions and cycles on lists of 8, 32, 128, 2000 items: the means of 24 taps on the processor of `memory-lcd`.
    static let measuredParts: [TapPart: [CodeCount]] = [
        .touch: columns(435, 1043, 435, 1043, 435, 1043, 435, 1043),
        .between: columns(39, 101, 39, 101, 39, 101, 39, 101),
        .flush: columns(115, 254, 115, 254, 115, 254, 115, 254),
        .line: columns(101, 157, 101, 157, 101, 157, 101, 157),
        .meanwhile: columns(277, 485, 277, 485, 277, 485, 277, 485),
        .shown: columns(5, 6, 5, 6, 5, 6, 5, 6),
        .removal: columns(14857, 22760, 15097, 23120, 16057, 24560, 16067, 24575),
        .news: columns(9368, 15551, 9638, 16214, 10619, 17750, 12673, 21162),
        .drawnLine: columns(5895, 7700, 5902, 7721, 5921, 7752, 5935, 7777),
        .datagram: columns(10261, 21708, 10323, 21791, 10327, 21798, 10374, 21882),
        .wake: columns(1503, 3343, 1503, 3343, 1504, 3344, 1504, 3344),
    ]

    static let measuredStages: [String: [CodeCount]] = [
        "list model": columns(76, 170, 76, 170, 76, 170, 76, 170),
        "strike-through": columns(297, 547, 297, 547, 297, 547, 297, 547),
        "row removal": columns(53, 138, 53, 138, 53, 138, 53, 138),
        "message to the phone": columns(1545, 3496, 1548, 3499, 1545, 3496, 1543, 3493),
        "haptic": columns(57, 124, 57, 124, 57, 124, 57, 124),
        "remaining count": columns(1914, 2702, 1914, 2671, 1924, 2677, 1934, 2727),
        "placeholder": columns(46, 115, 46, 115, 46, 115, 46, 115),
        "complication": columns(329, 686, 329, 686, 329, 686, 329, 686),
    ]
}

// Made by Hardware/build --stages from the image for the lab: do not edit.

extension CountTable {
    /// When it was counted.
    package static let countedOn = "2026-11-28"

    /// Instructions and cycles on lists of 8, 32, 128, 2000 items: the means of 24 taps on the processor of `memory-lcd`.
    static let measuredParts: [TapPart: [CodeCount]] = [
        .touch: columns(443, 1083, 443, 1083, 443, 1083, 443, 1083),
        .between: columns(43, 107, 43, 107, 43, 107, 43, 107),
        .flush: columns(117, 249, 117, 249, 117, 249, 117, 249),
        .line: columns(101, 153, 101, 153, 101, 153, 101, 153),
        .meanwhile: columns(279, 505, 279, 505, 279, 505, 279, 505),
        .shown: columns(9, 14, 9, 14, 9, 14, 9, 14),
        .removal: columns(14886, 23036, 15126, 23372, 16086, 24716, 16096, 24730),
        .news: columns(9338, 15350, 9609, 16006, 10590, 17553, 12644, 20962),
        .drawnLine: columns(5876, 7671, 5882, 7692, 5901, 7723, 5915, 7748),
        .datagram: columns(10388, 21837, 10450, 21919, 10454, 21925, 10502, 22009),
        .wake: columns(1529, 3394, 1529, 3395, 1530, 3395, 1530, 3395),
    ]

    static let measuredStages: [String: [CodeCount]] = [
        "list model": columns(80, 176, 80, 176, 80, 176, 80, 176),
        "strike-through": columns(301, 549, 301, 549, 301, 549, 301, 549),
        "row removal": columns(57, 142, 57, 142, 57, 142, 57, 142),
        "message to the phone": columns(1573, 3545, 1576, 3548, 1573, 3546, 1571, 3543),
        "haptic": columns(61, 137, 61, 137, 61, 137, 61, 137),
        "remaining count": columns(1918, 2745, 1918, 2713, 1928, 2722, 1938, 2778),
        "placeholder": columns(50, 113, 50, 113, 50, 113, 50, 113),
        "complication": columns(333, 694, 333, 694, 333, 694, 333, 694),
    ]
}

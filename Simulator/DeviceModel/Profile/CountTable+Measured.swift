// Made by Hardware/build --stages from the image for the lab: do not edit.

extension CountTable {
    package static let countedOn = "2026-11-28"

    /// Instructions and cycles on lists of 8, 32, 128, 2000 items: the means of 24 taps on the processor of `memory-lcd`.
    static let measuredParts: [TapPart: [CodeCount]] = [
        .touch: columns(443, 1069, 443, 1069, 443, 1069, 443, 1069),
        .between: columns(43, 108, 43, 108, 43, 108, 43, 108),
        .flush: columns(117, 249, 117, 249, 117, 249, 117, 249),
        .line: columns(101, 152, 101, 152, 101, 152, 101, 152),
        .meanwhile: columns(279, 495, 279, 495, 279, 495, 279, 495),
        .shown: columns(9, 14, 9, 14, 9, 14, 9, 14),
        .removal: columns(14886, 22987, 15126, 23323, 16086, 24667, 16096, 24681),
        .news: columns(9328, 15441, 9599, 16095, 10581, 17633, 12635, 21036),
        .drawnLine: columns(5875, 7664, 5882, 7685, 5900, 7715, 5915, 7740),
        .datagram: columns(10404, 21748, 10466, 21833, 10469, 21839, 10517, 21923),
        .wake: columns(1536, 3372, 1536, 3372, 1536, 3373, 1536, 3373),
    ]

    static let measuredStages: [String: [CodeCount]] = [
        "list model": columns(80, 170, 80, 170, 80, 170, 80, 170),
        "strike-through": columns(301, 550, 301, 550, 301, 550, 301, 550),
        "row removal": columns(57, 139, 57, 139, 57, 139, 57, 139),
        "message to the phone": columns(1575, 3531, 1578, 3534, 1575, 3532, 1573, 3529),
        "haptic": columns(61, 134, 61, 134, 61, 134, 61, 134),
        "remaining count": columns(1918, 2738, 1918, 2706, 1928, 2712, 1938, 2768),
        "placeholder": columns(50, 116, 50, 116, 50, 116, 50, 116),
        "complication": columns(333, 691, 333, 691, 333, 691, 333, 691),
    ]
}

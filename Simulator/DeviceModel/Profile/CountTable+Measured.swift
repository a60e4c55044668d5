// Made by Hardware/build --stages from the image for the lab: do not edit.

extension CountTable {
    package static let countedOn = "2026-11-29"

    /// Instructions and cycles on lists of 8, 32, 128, 2000 items: the means of 24 taps on the processor of `memory-lcd`.
    static let measuredParts: [TapPart: [CodeCount]] = [
        .touch: columns(421, 971, 421, 971, 421, 971, 421, 971),
        .between: columns(61, 148, 61, 148, 61, 148, 61, 148),
        .flush: columns(91, 210, 91, 210, 91, 210, 91, 210),
        .line: columns(288, 580, 288, 580, 288, 580, 288, 580),
        .meanwhile: columns(248, 491, 248, 491, 248, 491, 248, 491),
        .shown: columns(326, 813, 326, 813, 326, 813, 326, 813),
        .removal: columns(14997, 29082, 15145, 29445, 16105, 31749, 16115, 31773),
        .news: columns(8836, 19544, 8510, 19071, 9688, 21529, 14484, 32376),
        .drawnLine: columns(6087, 11153, 6093, 11181, 6112, 11220, 6126, 11252),
        .datagram: columns(38039, 87790, 38523, 88838, 38691, 89240, 30066, 69203),
        .wake: columns(3893, 9179, 3887, 9163, 3851, 9079, 3851, 9079),
    ]

    static let measuredStages: [String: [CodeCount]] = [
        "list model": columns(101, 242, 101, 242, 101, 242, 101, 242),
        "strike-through": columns(322, 648, 322, 648, 322, 648, 322, 648),
        "row removal": columns(78, 201, 78, 201, 78, 201, 78, 201),
        "message to the phone": columns(6150, 13944, 6150, 13944, 6150, 13944, 6076, 13756),
        "haptic": columns(155, 372, 155, 372, 155, 372, 155, 372),
        "remaining count": columns(2011, 3805, 2011, 3764, 2021, 3774, 2034, 3839),
        "placeholder": columns(69, 176, 69, 176, 69, 176, 69, 176),
        "complication": columns(350, 755, 350, 755, 350, 755, 350, 755),
    ]
}

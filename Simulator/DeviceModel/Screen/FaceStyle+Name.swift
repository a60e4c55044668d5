import Watch

extension FaceStyle {
    /// Every face, in the order in which a swipe comes by them.
    package static let all: [FaceStyle] = [.modular, .simple, .bigDigits]

    package init?(named name: String) {
        guard let face = FaceStyle.all.first(where: { "\($0.name)" == name }) else { return nil }
        self = face
    }
}

extension ClockForm {
    package static let all: [ClockForm] = [.twentyFourHours, .twelveHours]
}

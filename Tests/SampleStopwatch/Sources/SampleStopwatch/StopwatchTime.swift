import Watch

/// A time as a stopwatch shows it: minutes and seconds, from an hour on hours and minutes.
struct StopwatchTime {
    let seconds: UInt32

    var text: ShortText {
        let (high, low) = seconds < 3_600 ? (seconds / 60, seconds % 60) : (seconds / 3_600, seconds / 60 % 60)
        var text = ShortText()
        text.append(high, digits: 2)
        text.append(":")
        text.append(low, digits: 2)
        return text
    }
}

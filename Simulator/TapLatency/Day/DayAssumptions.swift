/// What a day's figures rest on, beside the numbers of the profile.
struct DayAssumptions {
    let processor: ProcessorTime

    var sentences: [String] {
        [
            "The counts of looks, taps and changes are assumed.",
            "A look opens the list with the crown for 5 s; a tap opens it, checks an item off after 1 s and goes back 4 s after that; "
                + "a change is one item renamed on the phone.",
            "Each is the mean of 16 that were simulated 30 s apart, beyond what rest takes, times its count: in a row they "
                + "share the connection's fast tempo and take less.",
            "The rest is 16 minutes simulated on the face, connected, for 24 hours: nobody goes out of reach, and the flash "
                + "chip's rare compactions are in no figure.",
            "No light, no sensors, no notifications: the model has none.",
        ] + unknown
    }

    private var unknown: [String] {
        switch processor {
        case .executed: []
        case .counted:
            ["The table has no instructions of the session with the phone: executed, the processor takes more."]
        case .unknown: ["Nobody knows what the handler executes, and the processor's charge lacks it."]
        }
    }
}

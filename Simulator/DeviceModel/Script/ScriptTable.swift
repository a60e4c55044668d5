/// The documentation of the script language, for the page, the help and the tests.
package enum ScriptTable {
    package struct Entry: Sendable {
        package var forms: [String]
        package var meaning: String
    }

    /// In the order of the page.
    package static let entries = input + waits + expectations + others

    private static let input = [
        Entry(
            forms: ["tap ROW", "tap ROW or nothing"],
            meaning:
                "taps the middle of a row of the panel, 1 being the one below the title bar, of the list or of the past "
                + "items; fails where the watch begins no tap, unless that is said to be right"),
        Entry(forms: ["touch X Y"], meaning: "taps a pixel of the panel; it may hit nothing"),
        Entry(
            forms: ["drag X Y X Y", "drag X Y X Y over 500ms"],
            meaning:
                "a finger comes down on a pixel, moves to another in 300 ms or as long as is said, and lifts there: up and down it "
                + "scrolls a list and a full title"),
        Entry(
            forms: ["swipe left", "swipe right"],
            meaning:
                "a finger moves sideways over two thirds of the panel in 150 ms, which checks nothing off: to the next face "
                + "or the one before; on the list, to the left shows the past items, and to the right goes back"),
        Entry(
            forms: ["hold row N", "hold row N for 800ms"],
            meaning:
                "a finger rests on a row for 600 ms or as long as is said: from 500 ms on that shows the row's full title"
        ),
        Entry(forms: ["crown N"], meaning: "turns the crown by N detents, down when positive"),
        Entry(forms: ["press crown", "press side"], meaning: "presses a button"),
        Entry(
            forms: ["hold crown", "hold side"],
            meaning:
                "presses a button for a second: the crown says yes to the digits of a pairing, the side button, from the "
                + "face, lets phones pair for two minutes"),
        Entry(
            forms: ["wrist on", "wrist off", "wrist raise"],
            meaning: "puts the watch on, takes it off, which hides everything private, or raises the wrist to look"),
        Entry(forms: ["hours 12", "hours 24"], meaning: "how the face counts the hours"),
    ]

    private static let waits = [
        Entry(forms: ["wait 200ms", "wait 2s"], meaning: "lets time pass"),
        Entry(forms: ["wait until synced"], meaning: "waits until watch and phone know the same"),
        Entry(
            forms: ["wait until settled"],
            meaning: "waits until every struck row is gone and the rows below have moved up on the panel"),
        Entry(
            forms: ["wait until row N TEXT"],
            meaning: "waits until row N of the panel says exactly this. Each wait takes a limit behind it, such as "
                + "`wait until row 1 Milk 5s`; it fails after that, or after 30 s"),
    ]

    private static let expectations = [
        Entry(forms: ["expect title TEXT", "expect row N TEXT"], meaning: "fails unless the screen says exactly this"),
        Entry(forms: ["expect no row TEXT"], meaning: "fails where a row on the panel says exactly this"),
        Entry(
            forms: ["expect text TEXT"],
            meaning: "fails unless a line that `describe` prints has this in it, on any screen"),
        Entry(
            forms: ["expect screen NAME"],
            meaning: "fails unless this screen is up: `face`, `list`, `status`, `title`, `pairing`, `sheet` or `past`"),
        Entry(
            forms: ["expect face NAME"],
            meaning: "fails unless the wearer has chosen `modular`, `simple` or `big-digits`"),
        Entry(forms: ["expect left N"], meaning: "fails unless N items are left, those beyond the watch included"),
        Entry(
            forms: ["expect complication TEXT"],
            meaning: "fails unless the complication's current entry says exactly this, whether the face is up or not"),
        Entry(
            forms: ["expect haptics N"],
            meaning:
                "fails unless N haptic patterns were played since the last `expect haptics`, or since the script began"),
        Entry(
            forms: ["expect MARK within 8ms"],
            meaning:
                "fails unless the last tap was `handled`, `updated`, `settled`, `durable`, `felt`, `sent`, `committed` or "
                + "`acknowledged` no later than that after its touch; it waits for the mark. `settled` leaves out the 250 ms for "
                + "which a struck row stays on purpose"),
        Entry(
            forms: ["expect launched within 40ms", "expect arrived within 40ms", "expect raised within 40ms"],
            meaning:
                "fails unless the last time the panel had the list after a touch of the face, what the phone has changed after "
                + "its arrival, or what there is to read after the wrist was raised, it took no longer"),
        Entry(
            forms: ["expect screenshot FILE.png"],
            meaning: "fails unless the panel shows this picture; then `FILE.actual.png` is what it shows and "
                + "`FILE.difference.png` where they differ"),
    ]

    private static let others = [
        Entry(
            forms: ["phone add TITLE", "phone check ITEM", "phone remove ITEM"],
            meaning:
                "changes the list on the phone of `--with-phone`; ITEM is a number of `tapline phone list`, from 1, or a "
                + "title or its beginning"),
        Entry(forms: ["screenshot FILE.png"], meaning: "writes what the panel shows"),
        Entry(
            forms: ["record FILE", "record end"],
            meaning:
                "what the panel shows in between becomes FILE, which ends in `.gif`: 25 "
                + "pictures for each second of the watch's time, touches marked, 10 minutes at most; it is also written where the "
                + "script ends or fails"),
        Entry(forms: ["describe"], meaning: "prints the screen as text"),
        Entry(
            forms: ["pause", "resume", "step"],
            meaning: "as the keys `p` and `n`; `step` fails when nothing happens for 30 s"),
        Entry(forms: ["speed N"], meaning: "the watch's time goes N times as fast as this machine's, 0.1 to 1000"),
        Entry(
            forms: ["time HH:MM", "time YYYY-MM-DD HH:MM", "zone +HH:MM"],
            meaning: "sets the watch's wall clock, or brings the wearer to a time zone east (`+`) or west (`-`) of UTC"),
        Entry(
            forms: ["battery N", "charging on", "charging off"],
            meaning:
                "what the gauge of the battery says, 0 to 100 percent, beside the watch and over Bluetooth; it changes nothing "
                + "else: what a weak battery does is `fault battery low`, with which the gauge says 1 percent at most"),
        Entry(forms: ["fault …"], meaning: "changes what is wrong; see below"),
        Entry(
            forms: ["restart"],
            meaning:
                "the power goes and comes back: what is in RAM is gone, the flash is kept, the link is dropped, and the wall "
                + "clock keeps its time"),
        Entry(forms: ["reset"], meaning: "back to the factory: the flash is erased, then the watch restarts"),
        Entry(
            forms: ["save FILE", "load FILE"],
            meaning:
                "everything of the watch becomes a file, and the watch goes on from such a file; see below. The next command waits "
                + "until it has started"),
        Entry(
            forms: ["repeat N", "end"],
            meaning: "does what is between them N times, 1 to 10000; up to eight inside one another"),
        Entry(
            forms: ["include FILE"],
            meaning: "does what that script says; up to 16 inside one another, and none in itself"),
        Entry(forms: ["quit"], meaning: "ends the script"),
    ]

    package static var markdown: String {
        let rows = entries.map { entry in
            "| \(entry.forms.map { "`\($0)`" }.joined(separator: ", ")) | \(entry.meaning) |"
        }
        return (["| command | what it does |", "|---|---|"] + rows).joined(separator: "\n")
    }

    /// The lines of the help. The forms of `fault …` are declared with the faults.
    package static var synopses: [String] {
        entries.filter { $0.forms != ["fault …"] }.map { $0.forms.joined(separator: ", ") }
    }
}

import ArgumentParser
import CommandSupport
import HostSystem
import PhoneHost

struct PastCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "past",
        abstract: "Print what the watch offers to add back, and why.",
        discussion: """
            These items were checked off on the list that is on the watches, likeliest first. The order depends on how often an \
            item is bought, how far it is due again, and how often it was bought on this day of the week.

            EXAMPLES
              tapline phone past
              tapline phone past --json | jq -r '.items[].title'
            """)

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func run() async throws {
        let offer = try await places.read { store throws(PhoneError) in try await store.offeredPastItems() }
        try output.print(PastText.text(offer), json: PhoneReport.past(offer))
    }
}

enum PastText {
    static func text(_ offer: PastItems.Offer) -> String {
        let width = String(offer.items.count).count
        let lines = offer.items.enumerated().map { place, item in
            "\(String(place + 1).aligned(to: width))  \(item.title): \(reason(item.habit, at: offer.time))"
        }
        let head = "\(offer.list): the watch offers \(CountText(offer.items.count, "past item"))"
        return ([head] + lines).joined(separator: "\n") + "\n"
    }

    private static func reason(_ habit: ItemHabit, at time: UInt32) -> String {
        let last = PhoneReport.day(ofLocalSeconds: Int64(habit.last)).prefix(10)
        guard habit.purchases > 1 else { return "bought once, on \(last)" }
        let days = Int((habit.interval / 86_400).rounded())
        let due = Int((min(1, habit.intervals(at: time)) * 100).rounded())
        let doubt = habit.isLapsed(at: time) ? ", perhaps out of use" : "; \(due) % due"
        return "bought \(habit.purchases) times, every \(CountText(days, "day")), last on \(last)\(doubt); "
            + "\(habit.purchases(onDayOf: time)) on this day of the week"
    }
}

extension PhoneReport {
    static func past(_ offer: PastItems.Offer) -> JSONObject {
        let items = offer.items.map { item -> JSONObject in
            let habit = item.habit
            return [
                "title": item.title, "purchases": habit.purchases, "last": day(ofLocalSeconds: Int64(habit.last)),
                "intervalDays": habit.interval / 86_400, "intervalsPassed": habit.intervals(at: offer.time),
                "onThisWeekday": habit.purchases(onDayOf: offer.time), "lapsed": habit.isLapsed(at: offer.time),
                "purchasesExpectedToday": habit.likelihood(at: offer.time) * 86_400,
            ]
        }
        return ["list": offer.list, "items": items]
    }
}

import Foundation

/// The world outside as far as the phone's side asks it for anything: the time, the time zone and randomness.
public struct PhoneDependencies: Sendable {
    /// The time now.
    public var now: @Sendable () -> Date
    /// The time zone that the wearer is in, which may change while a host runs.
    public var timeZone: @Sendable () -> TimeZone
    /// Sixty-four random bits.
    public var random: @Sendable () -> UInt64

    /// Surroundings in which these answer.
    public init(
        now: @escaping @Sendable () -> Date,
        timeZone: @escaping @Sendable () -> TimeZone,
        random: @escaping @Sendable () -> UInt64
    ) {
        self.now = now
        self.timeZone = timeZone
        self.random = random
    }

    /// This machine's clock, time zone and randomness.
    public static var system: PhoneDependencies {
        PhoneDependencies(now: { Date() }, timeZone: { .current }, random: { .random(in: .min ... .max) })
    }

    /// `date` as the wearer's wall clock shows it: seconds since 1970 in the wearer's zone, 0 before that.
    public func localSeconds(_ date: Date) -> UInt32 {
        let seconds = date.timeIntervalSince1970 + Double(timeZone().secondsFromGMT(for: date))
        return UInt32(exactly: max(0, seconds.rounded(.down))) ?? .max
    }

    /// The randomness in the form that the standard library takes.
    var generator: Generator { Generator(random: random) }

    /// A generator over a source of randomness that is an argument.
    struct Generator: RandomNumberGenerator {
        let random: @Sendable () -> UInt64

        mutating func next() -> UInt64 { random() }
    }
}

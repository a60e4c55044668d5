import ArgumentParser
import Soak

/// `tapline soak`: days of watches and phones on a virtual clock, with everything going wrong that can.
struct SoakCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak", abstract: "Simulate watches and phones with faults, and judge what was promised.")

    @Option(help: "Seeds, such as 0-9999.")
    var seeds = "0-99"

    @Option(help: "One seed, whose story is told.")
    var seed: UInt64?

    func run() throws {
        if let seed {
            let outcome = Plan(seed: seed).run(.told)
            print(Plan(seed: seed).text)
            for line in outcome.story { print(line) }
            for line in outcome.log { print("  log:", line) }
            if let violation = outcome.violation { print(violation.promise.rawValue, violation.what) }
            return
        }
        let parts = seeds.split(separator: "-").compactMap { UInt64($0) }
        var faults: [FaultKind: Int] = [:]
        var found: [Promise: [UInt64]] = [:]
        let start = ContinuousClock.now
        for seed in parts[0]...parts[1] {
            let outcome = Plan(seed: seed).run()
            faults.merge(outcome.faults, uniquingKeysWith: +)
            if let violation = outcome.violation { found[violation.promise, default: []].append(seed) }
        }
        let time = ContinuousClock.now - start
        print(time, faults)
        for (promise, seeds) in found { print(promise.rawValue, seeds.count, seeds.prefix(12)) }
    }
}

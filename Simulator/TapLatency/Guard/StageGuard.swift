import Foundation
import WatchLink

/// Runs each measurement in a child process, so that a stage that traps or never returns is reported by its name.
///
/// This process does not see what a stage changes in memory.
enum StageGuard {
    static func began(_ stage: StaticString) { StageProgress.current?.began(stage) }

    /// Notes that the stage has ended.
    static func ended() { StageProgress.current?.ended() }

    /// The stages that have begun and ended so far; odd while one runs.
    static var beat: Int { StageProgress.current?.beat ?? 0 }

    /// Ends the measurement because a stage has let too much of the watch's time pass.
    static func giveUpWaiting() {
        guard let progress = StageProgress.current else { return }
        progress.end(.waited)
        SystemCalls.flushOutput()
        _exit(0)
    }

    /// How many times a measurement that gets stuck is started. A stage that blocks does so every time; a lock that was held
    /// when the process was copied is free the next time.
    private static let attempts = 3
    /// How many checks in a row may find a process asleep before it is started anew.
    private static let patience = 8
    /// How often the longest computing of a stage a process may compute between stages, where the model does it: it takes
    /// less than one of them. More than that it spins, at a lock that was held when the process was copied: Swift's `Mutex` is
    /// a futex with priority inheritance, whose owner is not there in the copy, so that the kernel answers at once (ESRCH).
    private static let spinning = 6
    /// Milliseconds between two checks of a process.
    private static let lookInterval: CInt = 250

    /// Runs `body` in a process of its own, and waits for what it returns.
    ///
    /// - Throws: what `body` throws; `.stageTrapped` and `.stageNeverReturned` with the stage's name; `.watchFailed`
    ///   where none was running.
    static func run<Value: Codable & Sendable>(
        _ limits: StageLimits, _ body: () throws(TapLatencyError) -> Value
    ) throws(TapLatencyError) -> Value {
        for attempt in 1... {
            let ending = try run(limits, attempt < attempts ? .beforeLast : .last, body)
            switch ending {
            case .finished(let result): return try value(of: result)
            case .trapped(let stage): throw .stageTrapped(stage)
            case .exceeded(let stage, let limit): throw .stageNeverReturned(stage, limit)
            case .failed: throw .watchFailed
            case .stuck: continue
            }
        }
        throw .watchFailed
    }

    private enum Attempt {
        case beforeLast
        case last
    }

    private enum Ending {
        case finished([UInt8])
        case trapped(String)
        case exceeded(String, StageLimits.Exceeded)
        /// In none of the handler's stages.
        case failed
        /// It was killed because it slept, or spun outside of all stages, and another attempt is left.
        case stuck
    }

    private static func run<Value: Codable & Sendable>(
        _ limits: StageLimits, _ attempt: Attempt, _ body: () throws(TapLatencyError) -> Value
    ) throws(TapLatencyError) -> Ending {
        let progress = try StageProgress()
        defer { progress.release() }
        var process = try MeasuringProcess(progress) { result(of: body) }
        defer { process.end() }
        return wait(for: &process, progress, limits, attempt)
    }

    /// Waits until the process has ended or has to be killed.
    private static func wait(
        for process: inout MeasuringProcess, _ progress: StageProgress, _ limits: StageLimits, _ attempt: Attempt
    ) -> Ending {
        var beat = -1
        var began = (computed: 0.0, time: 0.0)
        var asleep = 0
        while true {
            switch process.receive(milliseconds: lookInterval) {
            case .complete: return .finished(process.received)
            case .ended:
                guard let stage = progress.runningStage else { return .failed }
                return switch progress.ending {
                case .unknown: .trapped(stage)
                case .waited: .exceeded(stage, .waited(limits.waiting))
                }
            case .pending: break
            }
            let now = (computed: process.processorTime, time: SystemCalls.seconds(of: CLOCK_MONOTONIC))
            if beat != progress.beat {
                beat = progress.beat
                began = now
                asleep = 0
                continue
            }
            switch process.activity {
            case .computing: asleep = 0
            case .sleeping: asleep += 1
            }
            let isBlocked = now.time - began.time >= Double(limits.blocked)
            switch attempt {
            case .beforeLast:
                if asleep >= patience || (asleep > 0 && isBlocked) { return .stuck }
            case .last: break
            }
            guard let stage = progress.runningStage else {
                // Between stages it is the model that computes, which comes to an end.
                let spins = now.computed - began.computed >= Double(spinning * limits.computing)
                if spins || asleep > 0 && isBlocked { return attempt == .last ? .failed : .stuck }
                continue
            }
            if now.computed - began.computed >= Double(limits.computing) {
                return .exceeded(stage, .computed(seconds: limits.computing))
            }
            if isBlocked { return .exceeded(stage, .blocked(seconds: limits.blocked)) }
        }
    }
}

// MARK: The result

extension StageGuard {
    private enum Message<Value: Codable>: Codable {
        case value(Value)
        /// The board could not be made: why.
        case board(String)
        case watchFailed
    }

    /// What `body` gives, as the process sends it.
    private static func result<Value: Codable>(of body: () throws(TapLatencyError) -> Value) -> [UInt8] {
        let message: Message<Value>
        do throws(TapLatencyError) {
            message = .value(try body())
        } catch {
            switch error {
            case .board(let why): message = .board(why)
            case .watchFailed: message = .watchFailed
            case .taps, .items, .database, .loss, .steps, .day, .unknownStage, .instructions, .notComposed,
                .stageTrapped,
                .stageNeverReturned, .counts, .notCounted, .handlerNotCounted, .image, .notExecuted,
                .messageNotExecuted,
                .notOnFirmware,
                .markNotReached,
                .budgetExceeded, .tolerance, .noReport, .notComparable:
                // The arguments are checked before a process is started.
                message = .board(error.description)
            }
        }
        do {
            return Array(try JSONEncoder().encode(message))
        } catch {
            preconditionFailure("numbers and texts can be written as JSON: \(error)")
        }
    }

    private static func value<Value: Codable>(of result: [UInt8]) throws(TapLatencyError) -> Value {
        let message: Message<Value>
        do {
            message = try JSONDecoder().decode(Message<Value>.self, from: Data(result))
        } catch {
            throw .watchFailed
        }
        switch message {
        case .value(let value): return value
        case .board(let why): throw .board(why)
        case .watchFailed: throw .watchFailed
        }
    }
}

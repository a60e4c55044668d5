import WatchLink

/// A tap's work: an ordered composition of stages, each before or after the update of the panel. It may have messages
/// and a sheet of its own; by default it has neither.
///
/// Conform to `ComposedTapHandler` to write one.
public protocol TapHandler: MessageDeclaring, Sendable {
    /// The number of deferred stages.
    var deferredCount: Int { get }

    /// Runs the immediate stages in order. The runtime calls it when it handles the touch; the panel is updated
    /// afterwards.
    func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>)

    /// Runs a deferred stage, 0 ..< `deferredCount`. The runtime calls it once for each, in order, when no input waits.
    func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>)

    /// The number of stages, immediate and deferred, in the order of the source; 0 for a handler that
    /// `TapHandlerBuilder` has not composed. The device never asks; a lab switches stages to measure them.
    var stageCount: Int { get }

    /// The stage at an index in 0 ..< `stageCount`.
    func stage(_ index: Int) -> ListedStage

    /// Runs a stage, 0 ..< `stageCount`, wherever it is placed.
    func runStage<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>)

    /// Takes an event under one of its names. The run loop calls it when no input and no stage of a tap waits.
    func take<B: Board & ~Copyable>(_ message: HandlerMessage, on watch: inout WatchCore<B>)

    /// The wearer has touched a button of the handler's sheet; 0 is the one on the left.
    func press<B: Board & ~Copyable>(_ button: Int, on watch: inout WatchCore<B>)
}

/// By default a handler does nothing, and has no stages that could be told apart.
extension TapHandler {
    /// No deferred stage.
    public var deferredCount: Int { 0 }

    /// No immediate stage.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {}

    /// No deferred stage.
    public func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {}

    /// No stage.
    public var stageCount: Int { 0 }

    /// Traps: there is no stage.
    public func stage(_ index: Int) -> ListedStage { preconditionFailure("the handler has no such stage") }

    /// Traps: there is no stage.
    public func runStage<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        preconditionFailure("the handler has no such stage")
    }

    /// Does nothing.
    public func take<B: Board & ~Copyable>(_ message: HandlerMessage, on watch: inout WatchCore<B>) {}

    /// Does nothing.
    public func press<B: Board & ~Copyable>(_ button: Int, on watch: inout WatchCore<B>) {}
}

/// A stage before the update of the panel: the wearer waits for it.
public struct Immediate<Stage: TapStage>: TapHandler {
    /// Places a stage before the update of the panel.
    public init(_ stage: Stage.Type) {}

    /// Runs the stage.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.run(Stage.self, for: tap)
    }

    /// One stage.
    public var stageCount: Int { 1 }

    /// The stage.
    public func stage(_ index: Int) -> ListedStage { ListedStage(Stage.name, .immediate) }

    /// Runs the stage.
    public func runStage<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        watch.run(Stage.self, for: tap)
    }
}

/// A stage after the update of the panel, from the run loop's queue, when no input waits.
public struct Deferred<Stage: TapStage>: TapHandler {
    /// Places a stage after the update of the panel.
    public init(_ stage: Stage.Type) {}

    /// One deferred stage.
    public var deferredCount: Int { 1 }

    /// Runs the stage.
    public func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        watch.run(Stage.self, for: tap)
    }

    /// One stage.
    public var stageCount: Int { 1 }

    /// The stage.
    public func stage(_ index: Int) -> ListedStage { ListedStage(Stage.name, .deferred) }

    /// Runs the stage.
    public func runStage<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        watch.run(Stage.self, for: tap)
    }
}

/// Two handlers in order, as `TapHandlerBuilder` composes them.
public struct Then<First: TapHandler, Second: TapHandler>: TapHandler {
    package let first: First
    package let second: Second

    /// The number of deferred stages.
    public var deferredCount: Int { first.deferredCount + second.deferredCount }

    /// Runs the immediate stages in order.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        first.runImmediate(tap, on: &watch)
        second.runImmediate(tap, on: &watch)
    }

    /// Runs a deferred stage, 0 ..< `deferredCount`.
    public func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        let own = first.deferredCount
        if index < own {
            first.runDeferred(index, tap, on: &watch)
        } else {
            second.runDeferred(index - own, tap, on: &watch)
        }
    }

    /// The stages of both.
    public var stageCount: Int { first.stageCount + second.stageCount }

    /// The stage at an index in 0 ..< `stageCount`.
    public func stage(_ index: Int) -> ListedStage {
        let own = first.stageCount
        return index < own ? first.stage(index) : second.stage(index - own)
    }

    /// Runs a stage, 0 ..< `stageCount`.
    public func runStage<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        let own = first.stageCount
        if index < own {
            first.runStage(index, tap, on: &watch)
        } else {
            second.runStage(index - own, tap, on: &watch)
        }
    }
}

/// A handler without stages: a tap has no effect.
public struct NoStages: TapHandler {
    /// A handler that does nothing.
    public init() {}
}

/// Composes a handler from stages in the order of the source.
@resultBuilder
public enum TapHandlerBuilder {
    /// The composition of no stages.
    public static func buildBlock() -> NoStages { NoStages() }

    /// The composition of the first stage.
    public static func buildPartialBlock<First: TapHandler>(first: First) -> First { first }

    /// The composition with one more stage at its end.
    public static func buildPartialBlock<First: TapHandler, Second: TapHandler>(
        accumulated: First, next: Second
    ) -> Then<First, Second> {
        Then(first: accumulated, second: next)
    }
}

/// A handler that lists its stages in the order in which they run: the usual way to write one.
///
///     struct QuickHandler: ComposedTapHandler {
///         var stages: some TapHandler {
///             Immediate(ListModel.self)
///             Immediate(StrikeThrough.self)
///             Immediate(RowRemoval.self)
///             Deferred(PhoneMessage.self)
///         }
///
///         static func declare(_ names: inout MessageNames) {
///             names.latest("quick/limit", from: .phone)
///         }
///
///         func take<B: Board & ~Copyable>(_ message: HandlerMessage, on watch: inout WatchCore<B>) {
///             guard message.isNamed("quick/limit"), let limit = message.value(UInt32.self) else { return }
///             ...
///         }
///     }
public protocol ComposedTapHandler: TapHandler {
    associatedtype Stages: TapHandler
    /// The stages, each `Immediate` or `Deferred`.
    @TapHandlerBuilder var stages: Stages { get }
}

extension ComposedTapHandler {
    /// The number of deferred stages.
    public var deferredCount: Int { stages.deferredCount }

    /// Runs the immediate stages in order.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        stages.runImmediate(tap, on: &watch)
    }

    /// Runs a deferred stage, 0 ..< `deferredCount`.
    public func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        stages.runDeferred(index, tap, on: &watch)
    }

    /// The number of stages.
    public var stageCount: Int { stages.stageCount }

    /// The stage at an index in 0 ..< `stageCount`.
    public func stage(_ index: Int) -> ListedStage { stages.stage(index) }

    /// Runs a stage, 0 ..< `stageCount`.
    public func runStage<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        stages.runStage(index, tap, on: &watch)
    }
}

/// A job of a tap on a row.
///
/// A stage has no state between taps: it works with the tap and the watch. The handler decides the order of its stages
/// and which of them run before the update of the panel.
public protocol TapStage: SendableMetatype {
    /// The stage's name in traces and reports.
    static var name: StaticString { get }

    /// Does the job. The runtime calls it once for each tap.
    ///
    /// - Parameters:
    ///   - tap: the tap, with the item and the time of the touch.
    ///   - watch: the watch, whose board is free to use.
    static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>)
}

extension WatchCore where B: ~Copyable {
    /// Runs a stage and traces its begin and end.
    mutating func run<Stage: TapStage>(_ stage: Stage.Type, for tap: Tap) {
        board.trace(.stageBegan(Stage.name, tap: tap.number, at: board.now))
        Stage.run(tap, on: &self)
        board.trace(.stageEnded(Stage.name, tap: tap.number, at: board.now))
    }
}

/// The place of a stage in its handler.
public enum StagePlacement: UInt8, Sendable, BitwiseCopyable {
    /// Before the panel is updated.
    case immediate = 0
    /// After the panel is updated.
    case deferred = 1
}

/// A stage of a handler, for a lab that takes the handler apart.
public struct ListedStage: Sendable, BitwiseCopyable {
    /// `TapStage.name`.
    public var name: StaticString
    /// Where the handler has it.
    public var placement: StagePlacement

    /// A stage called `name`.
    public init(_ name: StaticString, _ placement: StagePlacement) {
        self.name = name
        self.placement = placement
    }
}

// MARK: Built in

/// The fast handler: the wearer waits for the strike and nothing else.
public struct ShippingHandler: ComposedTapHandler {
    /// The handler has no state.
    public init() {}

    /// Three stages run before the panel update, five after it. The message comes before the haptic, which is the
    /// receipt for what is kept. There is no sorting database, because nothing needs it.
    public var stages: some TapHandler {
        Immediate(ListModel.self)
        Immediate(StrikeThrough.self)
        Immediate(RowRemoval.self)
        Deferred(PhoneMessage.self)
        Deferred(Haptic.self)
        Deferred(RemainingCount.self)
        Deferred(Placeholder.self)
        Deferred(ComplicationUpdate.self)
    }
}

/// The slow handler, as it had grown over the years: the wearer waits for all of its stages.
public struct LegacyHandler: ComposedTapHandler {
    /// The handler has no state.
    public init() {}

    /// The strike and all eight duties run before the update of the panel.
    public var stages: some TapHandler {
        Immediate(SortingDatabase.self)
        Immediate(ListModel.self)
        Immediate(StrikeThrough.self)
        Immediate(RowRemoval.self)
        Immediate(AwaitedPhoneMessage.self)
        Immediate(Haptic.self)
        Immediate(RemainingCount.self)
        Immediate(Placeholder.self)
        Immediate(ReloadingComplication.self)
    }
}

/// Every stage of Tapline, from which the lab composes its steps. No watch runs it as it is.
package struct EveryStage: ComposedTapHandler {
    package init() {}

    package var stages: some TapHandler {
        Immediate(SortingDatabase.self)
        Immediate(IncrementalSortingDatabase.self)
        Immediate(ListModel.self)
        Immediate(StrikeThrough.self)
        Immediate(RowRemoval.self)
        Immediate(PhoneMessage.self)
        Immediate(AwaitedPhoneMessage.self)
        Immediate(Haptic.self)
        Immediate(RemainingCount.self)
        Immediate(Placeholder.self)
        Immediate(ComplicationUpdate.self)
        Immediate(ReloadingComplication.self)
    }
}

/// Strikes through the row's title: the wearer's feedback for the tap.
public struct StrikeThrough: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "strike-through" }

    /// Draws two lines and marks the row as struck.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        guard let row = watch.data.items.row(of: tap.item, near: tap.row) else { return }
        let width = watch.data.items.strike(row: row)
        watch.display.strike(row: row, width: width)
    }
}

/// Rewrites the order of the whole list in flash, in records of 64 items.
///
/// It is a remnant of a time when checked items moved to the bottom. The shipping handler has no such stage, because
/// removing a row does not change the order of the others.
public struct SortingDatabase: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "sorting database" }

    /// Appends the records of the order.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        var row = 0
        repeat {
            watch.store.keep(.order(from: row), room: .made, of: &watch.data, on: &watch.board)
            row = watch.data.endOfOrder(from: row)
        } while row < watch.data.items.count
    }
}

/// Writes the change of the order alone, the item that was checked off: the least cost of storing the order.
public struct IncrementalSortingDatabase: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { SortingDatabase.name }

    /// Appends the record of the change.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.store.keep(.orderChange(tap.item), room: .made, of: &watch.data, on: &watch.board)
    }
}

/// Checks the item off in the list, unless the phone has removed it meanwhile: it no longer counts as remaining. The
/// panel does not change.
public struct ListModel: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "list model" }

    /// Marks the item in its row as checked off.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        guard let row = watch.data.items.row(of: tap.item, near: tap.row) else { return }
        watch.data.items.checkOff(row: row)
    }
}

/// Removes the row: holds it in place until 250 ms after the touch, so that a bounce or a double tap cannot hit the
/// next item, then removes it from the list and moves the rows below up.
public struct RowRemoval: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "row removal" }

    /// Holds the row. The run loop finishes the removal at the end of the hold, or earlier at the wearer's next input.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        // If this stage is deferred, the row of the tap before may still be held.
        finish(on: &watch)
        watch.taps.holdRow(of: tap, until: tap.touchedAt + WatchLimits.struckRowHold)
    }

    /// Finishes the removal at the end of the hold. Returns whether it did.
    static func finishIfDue<B: Board & ~Copyable>(on watch: inout WatchCore<B>) -> Bool {
        guard let deadline = watch.taps.deadline, deadline <= watch.board.now else { return false }
        finish(on: &watch)
        watch.flush(atMost: Display.linesAtATime)
        return true
    }

    /// Removes the held row, if there is one, and draws the others in their new places, which the next flush sends. An
    /// item that the phone has put back meanwhile keeps its row, which the next redraw shows without the strike.
    static func finish<B: Board & ~Copyable>(on watch: inout WatchCore<B>) {
        // Inlined: every tap calls this twice, and nearly always no row is held.
        if watch.taps.holdsRow { removeHeldRow(on: &watch) }
    }

    @inline(never)
    private static func removeHeldRow<B: Board & ~Copyable>(on watch: inout WatchCore<B>) {
        guard let (tap, held) = watch.taps.endHold(at: watch.board.now) else { return }
        if let row = watch.data.items.row(of: tap.item, near: tap.row), !watch.data.items.isOpen(row: row) {
            watch.data.removeRow(row, checkedAt: watch.board.calendar(at: tap.touchedAt))
            watch.display.closeGap(at: row, watch.data, watch.link.indicator)
        }
        watch.taps.beginLeaving(tap, held: held)
    }
}

/// Stores the message of the check-off in flash, after which the radio sends it when it can: the tap is kept.
///
/// If the message cannot be stored, it is not sent: the row comes back, and the wearer feels the failure.
public struct PhoneMessage: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "message to the phone" }

    /// A tap begins only while the outbox has room for its message. A handler with this stage more than once may find
    /// it full; the tap is then refused like one that the flash chip does not keep.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        let time = watch.board.calendar(at: tap.touchedAt)
        if watch.issue(.checkOff(tap.item, at: time), tap: tap.number) {
            watch.taps.decide(tap)
        } else {
            watch.refuse(tap)
        }
    }
}

/// Sends the message of the check-off and waits until the phone has acknowledged all queued messages, at most 5 s.
public struct AwaitedPhoneMessage: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { PhoneMessage.name }

    /// Stores the message and waits for its acknowledgement.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        PhoneMessage.run(tap, on: &watch)
        watch.serveLink(atMost: WatchLimits.phoneTimeout) { $0.outbox.isEmpty }
    }
}

/// Plays a click, or two pulses for the last item of the list: the receipt of a tap. Place it after `PhoneMessage`, so
/// that what is felt is kept.
public struct Haptic: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "haptic" }

    /// Starts the pattern, except for a tap that was refused, which the wearer has felt as a failure.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        if watch.taps.isRefused(tap) { return }
        watch.board.play(watch.data.remaining == 0 ? .success : .click)
    }
}

/// Draws the number of remaining items into the title bar, if the list is up.
public struct RemainingCount: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "remaining count" }

    /// Draws the parts of the title bar that change with the number into the framebuffer.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.display.drawCount(watch.data, watch.link.indicator)
    }
}

/// Sets the placeholder that the list shows once the last row is gone: everything is done.
public struct Placeholder: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "placeholder" }

    /// Sets the placeholder by what is left of the list.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.display.setPlaceholder(watch.data.placeholder, rows: watch.data.items.count)
    }
}

/// Updates the complication from the data on the watch: the remaining count and the next item.
public struct ComplicationUpdate: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "complication" }

    /// Passes the remaining count and the next title to the complication.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.updateComplication()
    }
}

/// Updates the complication the slow way: requests all rows of the phone's list, also those that the watch has no room
/// for, and waits for the last of them, at most 5 s. What arrives later is applied all the same.
public struct ReloadingComplication: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { ComplicationUpdate.name }

    /// Requests the rows, waits for them, and updates the complication.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        // The outbox needs room for the messages of this tap and of earlier taps with deferred stages still to run.
        if watch.data.outbox.count + watch.taps.deferred.count + 1 < WatchLimits.outbox {
            let token = watch.nextRandomWord()
            if watch.issue(.reload(token: token)) {
                watch.data.awaitReload(token)
                watch.serveLink(atMost: WatchLimits.phoneTimeout) { $0.hasReloaded(token) }
            }
        }
        ComplicationUpdate.run(tap, on: &watch)
    }
}

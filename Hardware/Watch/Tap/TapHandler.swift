import WatchLink

/// What happens on a tap: a list of stages, each before or after the update of the panel. A handler may also have its own
/// messages and its own sheet.
///
/// To write a handler, conform to `ComposedTapHandler`.
public protocol TapHandler: MessageDeclaring, Sendable {
    /// The number of deferred stages, which run after the update of the panel.
    var deferredCount: Int { get }

    /// Runs the immediate stages in order. The runtime calls this when it handles the tap, and then updates the panel.
    func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>)

    /// Runs the deferred stage at an index in 0 ..< `deferredCount`. When no input waits, the runtime calls this once for each
    /// stage, in order.
    func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>)

    /// The number of all stages, immediate and deferred. Indices follow the order of the source. 0 for a handler that
    /// `TapHandlerBuilder` has not composed. Only the lab uses this, to measure single stages.
    var stageCount: Int { get }

    /// The name and placement of the stage at an index in 0 ..< `stageCount`.
    func stage(_ index: Int) -> ListedStage

    /// Runs the stage at an index in 0 ..< `stageCount`, immediate or deferred.
    func runStage<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>)

    /// Takes an event of a message or a file. The run loop calls this when no input waits and no tap has stages to run.
    func take<B: Board & ~Copyable>(_ message: HandlerMessage, on watch: inout WatchCore<B>)

    /// Handles the wearer's touch on a button of the handler's sheet. Button 0 is the leftmost.
    func press<B: Board & ~Copyable>(_ button: Int, on watch: inout WatchCore<B>)
}

/// By default, a handler does nothing and lists no stages.
extension TapHandler {
    /// 0: there are no deferred stages.
    public var deferredCount: Int { 0 }

    /// Does nothing: there are no immediate stages.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {}

    /// Does nothing: there are no deferred stages.
    public func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {}

    /// 0: the handler lists no stages.
    public var stageCount: Int { 0 }

    /// Traps, because the handler lists no stages.
    public func stage(_ index: Int) -> ListedStage { preconditionFailure("the handler has no such stage") }

    /// Traps, because the handler lists no stages.
    public func runStage<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        preconditionFailure("the handler has no such stage")
    }

    /// Does nothing.
    public func take<B: Board & ~Copyable>(_ message: HandlerMessage, on watch: inout WatchCore<B>) {}

    /// Does nothing.
    public func press<B: Board & ~Copyable>(_ button: Int, on watch: inout WatchCore<B>) {}
}

/// Puts a stage before the update of the panel, so the wearer waits for it.
public struct Immediate<Stage: TapStage>: TapHandler {
    /// - Parameter stage: the stage to run.
    public init(_ stage: Stage.Type) {}

    /// Runs the stage.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.run(Stage.self, for: tap)
    }

    /// 1: there is one stage.
    public var stageCount: Int { 1 }

    /// The name and placement of the stage.
    public func stage(_ index: Int) -> ListedStage { ListedStage(Stage.name, .immediate) }

    /// Runs the stage.
    public func runStage<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        watch.run(Stage.self, for: tap)
    }
}

/// Puts a stage after the update of the panel, so the wearer does not wait for it. The run loop runs it when no input waits.
public struct Deferred<Stage: TapStage>: TapHandler {
    /// - Parameter stage: the stage to run.
    public init(_ stage: Stage.Type) {}

    /// 1: the stage is deferred.
    public var deferredCount: Int { 1 }

    /// Runs the stage.
    public func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        watch.run(Stage.self, for: tap)
    }

    /// 1: there is one stage.
    public var stageCount: Int { 1 }

    /// The name and placement of the stage.
    public func stage(_ index: Int) -> ListedStage { ListedStage(Stage.name, .deferred) }

    /// Runs the stage.
    public func runStage<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        watch.run(Stage.self, for: tap)
    }
}

/// Two handlers that run one after the other. `TapHandlerBuilder` makes these.
public struct Then<First: TapHandler, Second: TapHandler>: TapHandler {
    package let first: First
    package let second: Second

    /// The number of deferred stages of both handlers.
    public var deferredCount: Int { first.deferredCount + second.deferredCount }

    /// Runs the immediate stages of both handlers in order.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        first.runImmediate(tap, on: &watch)
        second.runImmediate(tap, on: &watch)
    }

    /// Runs the deferred stage at an index in 0 ..< `deferredCount`.
    public func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        let own = first.deferredCount
        if index < own {
            first.runDeferred(index, tap, on: &watch)
        } else {
            second.runDeferred(index - own, tap, on: &watch)
        }
    }

    /// The number of stages of both handlers.
    public var stageCount: Int { first.stageCount + second.stageCount }

    /// The name and placement of the stage at an index in 0 ..< `stageCount`.
    public func stage(_ index: Int) -> ListedStage {
        let own = first.stageCount
        return index < own ? first.stage(index) : second.stage(index - own)
    }

    /// Runs the stage at an index in 0 ..< `stageCount`.
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
    /// Makes a handler that does nothing.
    public init() {}
}

/// Composes a handler from the stages in a `stages` property.
@resultBuilder
public enum TapHandlerBuilder {
    /// Composes no stages.
    public static func buildBlock() -> NoStages { NoStages() }

    /// Begins with the first stage.
    public static func buildPartialBlock<First: TapHandler>(first: First) -> First { first }

    /// Adds a stage at the end.
    public static func buildPartialBlock<First: TapHandler, Second: TapHandler>(
        accumulated: First, next: Second
    ) -> Then<First, Second> {
        Then(first: accumulated, second: next)
    }
}

/// A handler that lists its stages in the order in which they run. This is the usual way to write a handler.
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
    /// The stages in order, each as `Immediate` or `Deferred`.
    @TapHandlerBuilder var stages: Stages { get }
}

extension ComposedTapHandler {
    /// The number of deferred stages.
    public var deferredCount: Int { stages.deferredCount }

    /// Runs the immediate stages in order.
    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        stages.runImmediate(tap, on: &watch)
    }

    /// Runs the deferred stage at an index in 0 ..< `deferredCount`.
    public func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        stages.runDeferred(index, tap, on: &watch)
    }

    /// The number of stages.
    public var stageCount: Int { stages.stageCount }

    /// The name and placement of the stage at an index in 0 ..< `stageCount`.
    public func stage(_ index: Int) -> ListedStage { stages.stage(index) }

    /// Runs the stage at an index in 0 ..< `stageCount`.
    public func runStage<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {
        stages.runStage(index, tap, on: &watch)
    }
}

/// One job that a handler does on a tap on a row.
///
/// A stage keeps no state between taps. The handler decides the order of its stages, and which of them run before the update of
/// the panel.
public protocol TapStage: SendableMetatype {
    /// The stage's name in traces and reports.
    static var name: StaticString { get }

    /// Does the job, once for each tap. The stage may use the watch's board and its public functions.
    static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>)
}

extension WatchCore where B: ~Copyable {
    mutating func run<Stage: TapStage>(_ stage: Stage.Type, for tap: Tap) {
        board.trace(.stageBegan(Stage.name, tap: tap.number, at: board.now))
        Stage.run(tap, on: &self)
        board.trace(.stageEnded(Stage.name, tap: tap.number, at: board.now))
    }
}

/// Whether a stage runs before or after the update of the panel.
public enum StagePlacement: UInt8, Sendable, BitwiseCopyable {
    /// The stage runs before the panel is updated.
    case immediate = 0
    /// The stage runs after the panel is updated.
    case deferred = 1
}

/// The name and placement of a stage. The lab uses these to measure single stages.
public struct ListedStage: Sendable, BitwiseCopyable {
    /// The name, from `TapStage.name`.
    public var name: StaticString
    /// The placement that the handler gives the stage.
    public var placement: StagePlacement

    /// Makes an entry for the stage with this name.
    public init(_ name: StaticString, _ placement: StagePlacement) {
        self.name = name
        self.placement = placement
    }
}

// MARK: Built in

/// The fast handler. The wearer waits only until the row is struck through.
public struct ShippingHandler: ComposedTapHandler {
    /// Makes the handler, which has no state.
    public init() {}

    /// Three stages run before the update of the panel, and five after it. The message precedes the haptic, so the haptic means
    /// that the message is stored. There is no sorting database, because nothing needs one.
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

/// The slow handler, as a handler may become over the years. The wearer waits for all its stages.
public struct LegacyHandler: ComposedTapHandler {
    /// Makes the handler, which has no state.
    public init() {}

    /// The strike and the eight other stages all run before the update of the panel.
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

/// A handler with every stage that Tapline has. The lab composes other handlers from it. No watch runs it.
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

/// Strikes through the title of the row. This shows the wearer that the watch noticed the tap.
public struct StrikeThrough: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "strike-through" }

    /// Draws two lines, and marks the row as struck through.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        guard let row = watch.data.items.row(of: tap.item, near: tap.row) else { return }
        let width = watch.data.items.strike(row: row)
        watch.display.strike(row: row, width: width)
    }
}

/// Writes the order of the whole list to flash, in records of 64 items. The shipping handler does without it, because removing
/// a row does not change the order of the others.
public struct SortingDatabase: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "sorting database" }

    /// Appends the records with the order.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        var row = 0
        repeat {
            watch.store.keep(.order(from: row), room: .made, of: &watch.data, on: &watch.board)
            row = watch.data.endOfOrder(from: row)
        } while row < watch.data.items.count
    }
}

/// Writes only the change of the order to flash: the item that was checked off. This is the cheapest way to store the order.
public struct IncrementalSortingDatabase: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { SortingDatabase.name }

    /// Appends the record of the change.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.store.keep(.orderChange(tap.item), room: .made, of: &watch.data, on: &watch.board)
    }
}

/// Checks the item off, so that it no longer counts as open. The panel does not change.
public struct ListModel: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "list model" }

    /// Marks the item as checked off.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        guard let row = watch.data.items.row(of: tap.item, near: tap.row) else { return }
        watch.data.items.checkOff(row: row)
    }
}

/// Removes the row. Until 250 ms after the touch, the row stays in place, so that a bounce or a double tap cannot hit the next
/// item. Then it leaves the list, and the rows below move up.
public struct RowRemoval: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "row removal" }

    /// Holds the row in place. The run loop removes it after 250 ms, or at the wearer's next input.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        // If this stage is deferred, the row of the previous tap may still be held.
        finish(on: &watch)
        watch.taps.holdRow(of: tap, until: tap.touchedAt + WatchLimits.struckRowHold)
    }

    /// Removes the held row if its time is over. Returns whether its time was over.
    static func finishIfDue<B: Board & ~Copyable>(on watch: inout WatchCore<B>) -> Bool {
        guard let deadline = watch.taps.deadline, deadline <= watch.board.now else { return false }
        finish(on: &watch)
        watch.flush(atMost: Display.linesAtATime)
        return true
    }

    /// Removes the held row, and draws the other rows in their new positions. The next flush sends them. If the phone has
    /// opened the item again, its row stays, and is next drawn without the strike.
    static func finish<B: Board & ~Copyable>(on watch: inout WatchCore<B>) {
        // This check is inlined: every tap makes it twice, and usually no row is held.
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

/// Stores the check-off's message in flash. The link sends it when it can. If the message cannot be stored, the row comes back,
/// and the wearer feels the failure.
public struct PhoneMessage: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "message to the phone" }

    /// Stores the message and queues it. If this fails, refuses the tap. The outbox can be full only if a handler has this stage
    /// twice.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        let time = watch.board.calendar(at: tap.touchedAt)
        if watch.issue(.checkOff(tap.item, at: time), tap: tap.number) {
            watch.taps.decide(tap)
        } else {
            watch.refuse(tap)
        }
    }
}

/// Sends the check-off's message, and waits until the phone has acknowledged all queued messages, for at most 5 s.
public struct AwaitedPhoneMessage: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { PhoneMessage.name }

    /// Stores the message and waits for its acknowledgement.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        PhoneMessage.run(tap, on: &watch)
        watch.serveLink(atMost: WatchLimits.phoneTimeout) { $0.outbox.isEmpty }
    }
}

/// Plays a click, or two pulses for the last item of the list. Place this stage after `PhoneMessage`: then a tap that the wearer
/// feels is stored.
public struct Haptic: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "haptic" }

    /// Starts the pattern. Does nothing if the tap was refused, because the wearer has then felt the failure.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        if watch.taps.isRefused(tap) { return }
        watch.board.play(watch.data.remaining == 0 ? .success : .click)
    }
}

/// Draws the number of open items in the title bar, if the screen is the list.
public struct RemainingCount: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "remaining count" }

    /// Draws only the parts of the title bar that change with the number.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.display.drawCount(watch.data, watch.link.indicator)
    }
}

/// Sets what the list shows once its last row is gone.
public struct Placeholder: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "placeholder" }

    /// Chooses the placeholder, which says why no item is left. While the watch has open items, there is none.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.display.setPlaceholder(watch.data.placeholder, rows: watch.data.items.count)
    }
}

/// Updates the complication with the number of open items and the next item.
public struct ComplicationUpdate: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "complication" }

    /// Passes the number of open items and the next title to the complication.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.updateComplication()
    }
}

/// Updates the complication the slow way: requests all rows of the list from the phone, including rows that the watch cannot
/// store, and waits for the last of them, for at most 5 s. Rows that arrive later are applied too.
public struct ReloadingComplication: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { ComplicationUpdate.name }

    /// Requests the rows, waits for them, and updates the complication.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        // The outbox needs room for this request, for this tap's message, and for those of earlier taps with deferred stages to
        // run.
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

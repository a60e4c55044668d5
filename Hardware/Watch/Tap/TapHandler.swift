import WatchLink

/// Handles taps on rows of the list. A handler runs a list of stages, each before or after the panel is updated. A handler may
/// also exchange its own messages with the phone, and show its own sheet.
///
/// To write a handler, conform to `ComposedTapHandler`.
public protocol TapHandler: MessageDeclaring, Sendable {
    /// The number of deferred stages, which run after the update of the panel.
    var deferredCount: Int { get }

    /// Runs the immediate stages in order. The runtime calls this when it handles the tap, and then updates the panel.
    func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>)

    /// Runs the deferred stage at an index in 0 ..< `deferredCount`. For each tap, the runtime calls this once for each
    /// deferred stage, in order, usually when no input waits.
    func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>)

    /// The number of stages, immediate and deferred together. A stage's index is its position in `ComposedTapHandler.stages`.
    /// The default is 0, for a handler that lists no stages. Only `tapline lab` uses this, to measure single stages.
    var stageCount: Int { get }

    /// The name and placement of the stage at an index in 0 ..< `stageCount`.
    func stage(_ index: Int) -> ListedStage

    /// Runs the stage at an index in 0 ..< `stageCount`, immediate or deferred.
    func runStage<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>)

    /// Takes an event about one of the handler's messages, or about a file. The run loop calls this when no input waits and no
    /// tap has stages to run.
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

/// A handler whose only stage runs before the panel is updated, so the wearer waits for the stage.
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

/// A handler whose only stage runs after the panel is updated, so the wearer does not wait for the stage. The run loop runs the
/// stage when no input waits. If many lines of pixels from before the tap must still be sent to the panel, the stage runs
/// before the update, so that the haptic is not late.
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

/// Combines two handlers. A tap runs the immediate stages of the first handler, and then the immediate stages of the second
/// handler. The deferred stages run in the same order. `TapHandlerBuilder` makes values of this type.
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
    /// Makes a handler without stages.
    public static func buildBlock() -> NoStages { NoStages() }

    /// Begins the handler with the first stage.
    public static func buildPartialBlock<First: TapHandler>(first: First) -> First { first }

    /// Adds the next stage to the handler.
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

/// One job that a handler does when the wearer taps a row.
///
/// A stage keeps no state between taps. The handler decides the order of its stages, and which of them run before the update of
/// the panel.
public protocol TapStage: SendableMetatype {
    /// The stage's name in traces and reports.
    static var name: StaticString { get }

    /// Does the job, once for each tap. The stage may use `watch.board` and the public functions of `WatchCore`.
    static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>)
}

extension WatchCore where B: ~Copyable {
    mutating func run<Stage: TapStage>(_ stage: Stage.Type, for tap: Tap) {
        board.trace(.stageBegan(Stage.name, tap: tap.number, at: board.now))
        Stage.run(tap, on: &self)
        board.trace(.stageEnded(Stage.name, tap: tap.number, at: board.now))
    }
}

/// When a stage runs: before or after the update of the panel.
public enum StagePlacement: UInt8, Sendable, BitwiseCopyable {
    /// The stage runs before the panel is updated.
    case immediate = 0
    /// The stage runs after the panel is updated.
    case deferred = 1
}

/// The name and placement of a stage. `tapline lab` uses both to measure single stages.
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

    /// Three stages run before the panel is updated, and five after it. The message precedes the haptic, so the haptic means
    /// that the message is stored. `SortingDatabase` is left out, because the watch never reads the stored order.
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

/// The slow handler. It is an example of a handler that has gained stages over the years. The wearer waits for all of them.
public struct LegacyHandler: ComposedTapHandler {
    /// Makes the handler, which has no state.
    public init() {}

    /// All nine stages run before the panel is updated.
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

/// A handler with every built-in stage. `tapline lab` composes other handlers from these stages. The handler itself never runs
/// as a whole.
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

    /// Draws the strike as two lines of pixels, and marks the row as struck through.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        guard let row = watch.data.items.row(of: tap.item, near: tap.row) else { return }
        let width = watch.data.items.strike(row: row)
        watch.display.strike(row: row, width: width)
    }
}

/// Writes the order of the whole list to flash, in records of at most 64 items. `ShippingHandler` leaves this stage out,
/// because the other rows keep their order when a row is removed.
public struct SortingDatabase: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "sorting database" }

    /// Appends the records to the journal.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        var row = 0
        repeat {
            watch.store.keep(.order(from: row), room: .made, of: &watch.data, on: &watch.board)
            row = watch.data.endOfOrder(from: row)
        } while row < watch.data.items.count
    }
}

/// Writes the ID of the checked-off item to flash, instead of the order of the whole list. This is the cheapest way to store
/// the change of the order.
public struct IncrementalSortingDatabase: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { SortingDatabase.name }

    /// Appends one record to the journal.
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

/// Removes the row. For 250 ms after the finger is lifted, the row stays in place. So a bounce or a double tap cannot hit the
/// next item. Then the row leaves the list, and the rows below move up. The row leaves earlier if the wearer taps another row,
/// scrolls or changes the screen.
public struct RowRemoval: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "row removal" }

    /// Holds the row in place. The run loop later removes the row.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        // If this stage is deferred, the row of the previous tap may still be held.
        finish(on: &watch)
        watch.taps.holdRow(of: tap, until: tap.touchedAt + WatchLimits.struckRowHold)
    }

    /// Removes the held row if its 250 ms are over, and sends the first changed lines to the panel. Returns whether the time
    /// was over.
    static func finishIfDue<B: Board & ~Copyable>(on watch: inout WatchCore<B>) -> Bool {
        guard let deadline = watch.taps.deadline, deadline <= watch.board.now else { return false }
        finish(on: &watch)
        watch.flush(atMost: Display.linesAtATime)
        return true
    }

    /// Removes the held row, if there is one, and draws the other rows in their new positions. The next flush sends the changed
    /// lines. If the phone has opened the item again, the row stays. The strike disappears when the row is drawn again.
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

/// Stores the check-off in flash, as a message to the phone. The link sends the message when a phone is connected. If the
/// message cannot be stored, the item is open again, and the watch plays the haptic for a failure.
public struct PhoneMessage: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "message to the phone" }

    /// Stores the message and queues it. Refuses the tap if flash fails, or if the outbox is full. A tap begins only while the
    /// outbox has room, so the outbox is full only if the handler has queued other messages since.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        let time = watch.board.calendar(at: tap.touchedAt)
        if watch.issue(.checkOff(tap.item, at: time), tap: tap.number) {
            watch.taps.decide(tap)
        } else {
            watch.refuse(tap)
        }
    }
}

/// Stores the message as `PhoneMessage` does, and then waits until the phone has acknowledged all queued messages. The wait
/// takes at most 5 s. It ends early if the phone is disconnected, or if the watch has no room for more of the handler's
/// messages.
public struct AwaitedPhoneMessage: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { PhoneMessage.name }

    /// Stores the message, and waits for the acknowledgement of all queued messages.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        PhoneMessage.run(tap, on: &watch)
        watch.serveLink(atMost: WatchLimits.phoneTimeout) { $0.outbox.isEmpty }
    }
}

/// Plays a click, or two pulses if no open item is left. Place this stage after `PhoneMessage`. Then the check-off is stored
/// before the wearer feels the haptic.
public struct Haptic: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "haptic" }

    /// Starts the pattern. Does nothing if the tap was refused, because the watch has already played the haptic for a failure.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        if watch.taps.isRefused(tap) { return }
        watch.board.play(watch.data.remaining == 0 ? .success : .click)
    }
}

/// Draws the number of open items in the title bar, if the screen is the list.
public struct RemainingCount: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "remaining count" }

    /// Draws only the digits if the rest of the title bar stays the same; otherwise draws the whole title bar.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.display.drawCount(watch.data, watch.link.indicator)
    }
}

/// Sets what the list screen shows once the last row is gone.
public struct Placeholder: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "placeholder" }

    /// Chooses the placeholder, which says why the list is empty. If an open item is left on the watch, chooses no placeholder.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.display.setPlaceholder(watch.data.placeholder, rows: watch.data.items.count)
    }
}

/// Updates the complication on the face with the number of open items and the first open item.
public struct ComplicationUpdate: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "complication" }

    /// Gives the complication the number of open items and the title of the first open item.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.updateComplication()
    }
}

/// Updates the complication the slow way. The stage requests all rows of the list from the phone, including rows that the watch
/// cannot store. It waits for the last row, but at most 5 s. Rows that arrive later are applied too.
public struct ReloadingComplication: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { ComplicationUpdate.name }

    /// Requests the rows and waits for them, if the outbox has room for the request. Then updates the complication.
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

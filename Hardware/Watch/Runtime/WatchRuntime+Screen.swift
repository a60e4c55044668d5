import WatchLink

extension WatchRuntime where B: ~Copyable {
    /// The screen that is up.
    package var screenName: ScreenName { core.display.screen.name }

    /// The list's name, for the title bar.
    package var listTitle: ItemTitle { core.data.title }

    /// Items that are not checked off, those beyond the watch included.
    package var remaining: UInt32 { core.remaining }

    /// Items of the list that the phone has and the watch does not.
    package var more: UInt32 { core.data.more }

    /// The row at the top of the panel, 0 on a screen without the list.
    package var firstVisibleRow: Int { core.firstVisibleRow }

    /// The rows of the list, those beyond the panel included, or the past items while they are up; none while the watch is off the
    /// wrist.
    package var rows: Range<Int> { 0..<(core.isReadable ? core.describedRows.rowCount : 0) }

    /// Those that the panel shows.
    package var visibleRows: Range<Int> { core.visibleRows }

    /// Whether the panel shows the rows of the list: while a row is held, changes of the others wait.
    package var isPanelCurrent: Bool { !core.display.hasStaleRows }

    /// The item of one of `rows`.
    package func item(row: Int) -> ListItem { core.describedRows[row] }

    /// What the symbol of the link shows.
    package var linkIndicator: LinkIndicator { core.link.indicator }

    /// The watch's own messages that the phone has not acknowledged.
    package var waitingMessages: Int { core.waitingMessages }

    /// Whether watch and phone are in sync.
    package var isSynchronized: Bool { core.isSynchronized }

    /// What the wearer has to know beyond the state of the link.
    package var notice: WatchNotice { core.notice }

    /// What the screen shows in place of the rows of an empty list.
    package var placeholder: EmptyListPlaceholder { core.data.placeholder }

    /// The face that the wearer has chosen.
    package var faceStyle: FaceStyle { core.data.settings.face }

    /// How the face counts the hours.
    package var clockForm: ClockForm { core.data.settings.clock }

    /// Whether the watch tells what is private: it is on the wrist.
    package var privacy: ComplicationPrivacy { core.display.privacy }

    /// What the complication says now.
    package var complicationContent: ComplicationContent { mutating get { core.complicationContent } }

    /// What the handler's sheet shows.
    package var sheet: HandlerSheet { core.sheet }

    /// The number that the digits of a pairing make; nil while no phone wants to pair.
    package var pairingDigits: UInt32? { core.pairingDigits }
}

extension WatchRuntime where B: ~Copyable {
    /// The title on its sheet; nil while that is not up, and when the item has gone from the list.
    package var fullTitle: ItemTitle? { core.fullTitle }

    /// What the face shows of another time; nil while it shows the present and while it is not up.
    package var faceTravel: FaceTravel? { mutating get { core.faceTravel } }
}

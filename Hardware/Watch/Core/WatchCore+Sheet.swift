// The sheet of a handler's own.
extension WatchCore where B: ~Copyable {
    /// What the handler's sheet shows. The panel follows it while the sheet is up. The wearer opens it by holding the crown on the
    /// face or the list, and closes it with either button.
    public var sheet: HandlerSheet {
        get { display.handlerSheet }
        set { display.setHandlerSheet(newValue) }
    }

    /// Whether the panel shows the handler's sheet.
    public var isSheetUp: Bool { display.screen.name == .sheet }

    /// Puts the handler's sheet over the screen; it comes up once the stage or the handler that asks for it returns. Not over
    /// the digits of a pairing.
    public mutating func showSheet() { sheetRequest = .show }

    /// Takes the handler's sheet away.
    public mutating func closeSheet() { sheetRequest = .close }
}

/// What a handler wants of its sheet.
enum SheetRequest: BitwiseCopyable {
    case none
    case show
    case close
}

import WatchLink

extension WatchRuntime where B: ~Copyable {
    /// Notes that a finger came down, on the row that was on the panel then.
    mutating func press(_ place: TouchGesture.Place, at time: Instant) {
        let target = core.display.target(x: place.x, y: place.y, at: time, scan: core.board.touchScanInterval)
        core.touch.press(at: place, on: target, at: time)
    }

    /// Does what the wearer's finger has asked for.
    @inline(never)
    mutating func perform(_ action: TouchGesture.Action, at time: Instant) {
        switch action {
        case .nothing: break
        case .tapRow(let target): tap(target, at: time)
        case .tap(let press, let lift):
            let button = core.sheet.button(atX: Int(press.place.x), y: Int(press.place.y))
            let isOnButton = button == core.sheet.button(atX: Int(lift.x), y: Int(lift.y))
            follow(
                core.display.screen.afterTap(
                    fromY: Int(press.place.y), toY: Int(lift.y), button: isOnButton ? button : nil), at: time)
        case .longPress(let item): readTitle(of: item, at: time)
        case .drag(let rows): follow(core.display.screen.afterDrag(rows: rows), at: time)
        case .swipe(let step): follow(core.display.screen.afterSwipe(step), at: time)
        }
    }

    /// Does what a finger asks for by resting where it is. Returns whether there was anything to do.
    mutating func finishLongPress() -> Bool {
        guard let deadline = core.touch.deadline, let action = core.touch.expire(at: core.board.now) else {
            return false
        }
        perform(action, at: deadline)
        return true
    }

    /// Shows the full title of the item on whose row the finger rests, unless it has gone meanwhile.
    private mutating func readTitle(of item: ItemID, at time: Instant) {
        releaseRow()
        guard case .list(let state) = core.display.screen, core.data.items.row(of: item) != nil else { return }
        show(.sheet(.fullTitle(item), returningTo: .list(state)), at: time)
    }
}

import Watch

extension Array<Input> {
    /// A finger that swipes over the middle of the panel: to the left, towards what is on the right, when positive.
    package static func swipe(_ step: Int) -> [Input] {
        let (from, to) = (step > 0 ? ScriptSwipe.left : .right).pixels
        return [.touch(x: from.x, y: from.y), .moved(x: to.x, y: to.y), .lifted(x: to.x, y: to.y)]
    }
}

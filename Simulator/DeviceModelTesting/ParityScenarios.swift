import DeviceModel
import Watch

/// What one watch does as another does it: the same pictures, the same words, the same messages.
package enum ParityScenarios {
    private static let pause = ParityStep.run(.milliseconds(400))

    /// A finger that swipes to the left, towards what is on the right, and back.
    private static let swipeLeft: [ParityStep] = swipe(from: 120, to: 24)
    private static let swipeRight: [ParityStep] = swipe(from: 24, to: 120)

    private static func swipe(from start: Int16, to end: Int16) -> [ParityStep] {
        [
            .send(.touch(x: start, y: 84)), .send(.moved(x: (start + end) / 2, y: 84)), .send(.lifted(x: end, y: 84)),
            pause,
        ]
    }

    /// The scenarios.
    package static let all: [(name: String, items: Int, steps: [ParityStep])] = [
        ("a new watch", 0, [.run(.seconds(1)), .send(.press(.crown)), pause, .send(.press(.crown)), pause]),
        (
            "taps", 10,
            [
                .connect, pause, .tap(row: 0), pause, .tap(row: 2), pause, .tap(row: 0), .tap(row: 1), pause,
                .send(.touch(x: 3, y: 3)), .send(.lifted(x: 3, y: 3)), pause, .run(.seconds(5)),
            ]
        ),
        (
            "drags, long presses and fingers that lift elsewhere", 30,
            [
                .connect, pause, .send(.touch(x: 60, y: 150)), .send(.moved(x: 60, y: 130)),
                .send(.moved(x: 60, y: 78)), .send(.moved(x: 60, y: 120)), .send(.lifted(x: 60, y: 90)), pause,
                .send(.touch(x: 60, y: 60)), .run(.milliseconds(600)), .send(.lifted(x: 60, y: 60)), pause,
                .send(.touch(x: 60, y: 100)), .send(.moved(x: 60, y: 60)), .send(.lifted(x: 60, y: 60)), pause,
                .send(.touch(x: 60, y: 100)), .send(.lifted(x: 62, y: 98)), pause,
                .send(.touch(x: 60, y: 60)), .send(.lifted(x: 60, y: 50)), pause,
                .send(.touch(x: 60, y: 70)), .send(.lifted(x: 60, y: 76)), pause,
                .send(.touch(x: 10, y: 60)), .send(.moved(x: 100, y: 62)), .send(.lifted(x: 10, y: 60)), pause,
                .send(.lifted(x: 60, y: 60)), pause, .tap(row: 1), pause, .send(.press(.crown)), pause,
                .send(.touch(x: 100, y: 60)), .send(.lifted(x: 20, y: 60)), pause,
            ]
        ),
        (
            "the crown, the face and the sheets", 30,
            [
                .connect, pause, .send(.crown(detents: 5)), pause, .tap(row: 3), pause, .send(.crown(detents: 100)),
                pause, .send(.crown(detents: -2)), pause, .send(.press(.crown)), pause, .send(.press(.side)), pause,
                .send(.press(.crown)), pause, .send(.press(.crown)), pause, .send(.crown(detents: -128)), pause,
            ]
        ),
        (
            "without a phone", 5,
            [
                .connect, pause, .cut, pause, .tap(row: 0), pause, .tap(row: 1), pause, .run(.seconds(20)), .connect,
                pause, .tap(row: 0), pause,
            ]
        ),
        (
            "changes on the phone", 4,
            [
                .connect, pause, .add(50, "Rye bread, sliced and rather long for a row"), pause, .remove(2), pause,
                .rename(3, "Crème fraîche"), pause, .tap(row: 1), .remove(1), pause, .send(.press(.crown)), pause,
            ]
        ),
        (
            "a restart", 8,
            [
                .connect, pause, .tap(row: 0), pause, .cut, pause, .tap(row: 0), pause, .restart, pause, .connect,
                pause, .tap(row: 0), pause,
            ]
        ),
        ("the end of a list", 2, [.connect, pause, .tap(row: 0), pause, .tap(row: 0), pause, .run(.seconds(2))]),
        (
            "past items", 2,
            [.offer(14), .connect, pause] + swipeLeft + [.tap(row: 1), pause, .tap(row: 0), .tap(row: 0), pause]
                + [.send(.crown(detents: 6)), pause, .tap(row: 5), pause, .tap(row: 5), pause] + swipeRight
                + [.cut, pause] + swipeLeft + [.tap(row: 2), pause, .send(.press(.crown)), pause, .restart, pause]
                + [.connect, pause, .tap(row: 0), pause, .offer(0), pause] + swipeLeft
        ),
        ("more than the watch holds", 200, [.connect, .run(.seconds(2)), .tap(row: 5), pause, .tap(row: 0), pause]),
    ]

    /// The scenario called `name`.
    package static func named(_ name: String) -> (name: String, items: Int, steps: [ParityStep])? {
        all.first { $0.name == name }
    }
}

import CommandSupport
import Testing

struct ColumnTextTests {
    @Test func `a column is filled, or cut with a sign`() {
        #expect("haptic".padded(to: 8) == "haptic  ")
        #expect("complication".padded(to: 8) == "complic…")
        #expect("96 µs".aligned(to: 8) == "   96 µs")
        #expect("complication".aligned(to: 8) == "complication")
    }

    @Test func `words are kept whole where a line is wrapped`() {
        #expect("one two three".wrapped(to: 7) == ["one two", "three"])
        #expect("incomprehensibility is long".wrapped(to: 7) == ["incomprehensibility", "is long"])
        #expect("".wrapped(to: 7) == [])
    }
}

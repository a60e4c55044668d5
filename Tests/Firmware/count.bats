#!/usr/bin/env bats
# `tapline count` and `tapline lab --package`: handlers of a package that is not Tapline's, executed on the watch's processor.
# The first build takes minutes.
test_limit=1800
load ../Support/command

# The tests share one package and its build folder, in which each replaces the sources: what they build of Tapline is built once. So
# they run one after the other.
setup_file() {
    export BATS_NO_PARALLELIZE_WITHIN_FILE=true
    # The name that a clone has: a package is known by the last part of its path.
    ln -s "$top" "$BATS_FILE_TMPDIR/tapline"
    mkdir "$BATS_FILE_TMPDIR/package"
}

# Enters the directory of the package, and empties the package but for what was built.
empty_package() {
    cd "$BATS_FILE_TMPDIR"
    rm -rf package/Sources package/Package.swift package/tap-counts.json
}

# A package with one handler, whose stage has the body $1; what stands beside it is $2.
make_package() {
    empty_package
    mkdir -p package/Sources/Party
    cat > package/Package.swift << EOF
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Party",
    products: [.library(name: "Party", targets: ["Party"])],
    dependencies: [.package(name: "tapline", path: "../tapline")],
    targets: [.target(name: "Party", dependencies: [.product(name: "Watch", package: "tapline")])],
    swiftLanguageModes: [.v6]
)
EOF
    cat > package/Sources/Party/Party.swift << EOF
import Watch

public struct Confetti: TapStage {
    public static var name: StaticString { "confetti" }

    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        $1
    }
    $2
}

public struct PartyHandler: ComposedTapHandler {
    public init() {}

    public var stages: some TapHandler {
        Immediate(ListModel.self)
        Immediate(StrikeThrough.self)
        Immediate(Confetti.self)
    }
}
EOF
}

# The rule for a package: this is said of it, in one line, with status 1, and no counts are written.
expect_complaint() { # pattern
    local status=0
    "$TAPLINE" count --package package --taps 2 --limit 3000000 > printed 2> said || status=$?
    expect_equal "1 0 1" "$status $(wc -c < printed) $(grep -cvE '^[0-9]+ of [0-9]+  ' said)" \
        "status, what is printed, lines beside the progress"
    grep -qE "^Error: $1" said || complain "said: $(cat said)"
    [[ ! -e package/tap-counts.json ]] || complain "there are counts"
}

@test "a handler is counted and taken apart and a float costs what it costs" {
    make_package 'var sum = Float(tap.row)
        for _ in 0..<10_000 { sum = sum * 1.5 + 0.1 }
        watch.board.play(sum > 100 ? .click : .success)' ''
    "$TAPLINE" count --package package --taps 2 --limit 3000000 > counted
    grep -qE '^Party.PartyHandler on memory-lcd$' counted || complain "no title: $(cat counted)"
    # At least one instruction of the unit a round: a multiplication, an addition, and what leads to the next round.
    local instructions
    instructions=$(json '"%d" % [it["handlers"][0]["stages"][2]["cases"][0]["mostInstructions"]][0]' < package/tap-counts.json)
    ((instructions > 20000 && instructions < 100000)) || complain "confetti takes $instructions instructions"
    "$TAPLINE" lab --package package --handler PartyHandler --taps 3 --json trial.json > trial
    expect_equal "executed 3 kept" "$(json '"%s %d %s" % (it["whole"]["processor"], len(it["stages"]), it["verdict"])' < trial.json)" "the trial"
    grep -qE '^confetti +immediate' trial || complain "no row: $(cat trial)"
}

# bats test_tags=nightly
@test "what a handler computes around its stages is counted in a file that is new too" {
    make_package 'watch.board.play(.click)' ''
    "$TAPLINE" count --package package --taps 2 > /dev/null
    cat > package/Sources/Party/Eager.swift << EOF
import Watch

public struct EagerHandler: ComposedTapHandler {
    public init()
    {}

    public var stages: some TapHandler {
        Immediate(StrikeThrough.self)
    }

    public func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        var sum = UInt32(tap.row)
        for _ in 0..<20_000 { sum = sum &* 3 ^ sum &>> 7 }
        watch.board.play(sum == 1 ? .click : .success)
        stages.runImmediate(tap, on: &watch)
    }
}
EOF
    "$TAPLINE" count --package package --taps 2 > counted
    grep -qE '^Party.EagerHandler on memory-lcd$' counted || complain "a handler in a new file is not found: $(cat counted)"
    local instructions
    instructions=$(json '"%d" % it["handlers"][0]["around"][0]["cases"][0]["mostInstructions"]' < package/tap-counts.json)
    ((instructions > 40000 && instructions < 300000)) || complain "around the stages are $instructions instructions"
    # Before the update, a handler without code of its own around its stages computes next to nothing there. If it is nothing, there
    # is no such row. After the update, each step of the run loop asks it for the number of its stages, which counts too.
    instructions=$(json '"%d" % sum(each["cases"][0]["mostInstructions"] for each in it["handlers"][1]["around"]
        if each["placement"] == "immediate")' < package/tap-counts.json)
    ((instructions < 100)) || complain "around the stages of a plain handler are $instructions instructions"
    awk 'length > 96 { exit 1 }' counted || complain "a line is longer than 80 columns: $(cat counted)"
}

# bats test_tags=nightly
@test "what a handler does for messages is counted with samples of values" {
    make_package 'watch.board.play(.click)' ''
    cat >> package/Sources/Party/Party.swift << EOF

extension PartyHandler {
    public static func declare(_ names: inout MessageNames) {
        names.latest("guests", from: .phone)
        names.queued("wishes", from: .phone)
        names.interactive("music", from: .watch)
    }

    public func take<B: Board & ~Copyable>(_ message: HandlerMessage, on watch: inout WatchCore<B>) {
        // Each value is greeted ten times as often as the one before: the largest sample is the worst.
        guard message.isNamed("guests"), let guests = message.value(UInt32.self) else { return }
        watch.sheet = HandlerSheet(title: "Guests", text: ShortText(), buttons: "Music")
        var sum = guests
        for _ in 0..<min(guests, 100_000) { sum = sum &* 3 ^ sum &>> 7 }
        watch.board.play(sum == 1 ? .click : .success)
    }

    public func press<B: Board & ~Copyable>(_ button: Int, on watch: inout WatchCore<B>) {
        do throws(MessageError) { try watch.ask("music", true, within: .seconds(1)) } catch { watch.board.play(.failure) }
    }
}
EOF
    sed -i 's/^import Watch/import Watch\nimport WatchLink/' package/Sources/Party/Party.swift
    "$TAPLINE" count --package package --taps 2 > counted
    local titles
    titles=$(json '";".join(each["name"] for each in it["handlers"][0]["messages"])' < package/tap-counts.json)
    expect_equal "button 0;guests: cleared;guests: value;music: answered;music: late;music: out of reach;music: refused;wishes: queued" \
        "$titles" "what is counted"
    local instructions
    instructions=$(json '"%d" % it["handlers"][0]["messages"][2]["cases"][0]["mostInstructions"]' < package/tap-counts.json)
    ((instructions > 300000 && instructions < 900000)) || complain "a value takes $instructions instructions"
    grep -qE '^  guests: value ' counted || complain "no row: $(cat counted)"
    sed -i 's/min(guests, 100_000)/guests/' package/Sources/Party/Party.swift
    rm package/tap-counts.json
    expect_complaint "Party.PartyHandler on 8 items with short titles: 'guests: value' was stopped: it has executed 3000000 instructions without a pause, and is in "
}

# bats test_tags=nightly
@test "the stopwatch is as it was counted and a handler takes alone what it takes beside others" {
    empty_package
    cp -r "$top/Tests/Examples/Sources" package/Sources
    # Without its tests.
    sed '/\.testTarget(/,/^ *\]),$/d; s|path: "../.."|path: "../tapline"|' "$top/Tests/Examples/Package.swift" > package/Package.swift
    "$TAPLINE" count --package package > /dev/null
    local rows='";".join("%s %d" % (each["name"], each["cases"][0]["mostInstructions"] // 100)
        for handler in it["handlers"] if handler["name"] == "SampleHandlers.StopwatchHandler" for each in handler["messages"])'
    expect_equal "$(json "$rows" < "$top/Tests/Examples/tap-counts.json")" \
        "$(json "$rows" < package/tap-counts.json)" "hundreds of instructions"
    "$TAPLINE" count --package package --handler SortingHandler --json alone.json > /dev/null
    local around='"%d" % sum(each["cases"][0]["mostInstructions"]
        for handler in it["handlers"] if handler["name"] == "SampleHandlers.SortingHandler" for each in handler["around"]
        if each["placement"] == "immediate")'
    local beside alone
    beside=$(json "$around" < package/tap-counts.json)
    alone=$(json "$around" < alone.json)
    # The compiler places a call or two elsewhere.
    ((beside - alone < 50 && alone - beside < 50)) || complain "around the stages are $alone instructions alone, $beside beside others"
}

# bats test_tags=nightly
@test "a stage that never returns is named" {
    make_package 'var number: UInt32 = 1
        while number != 0 { number = number &* 3 | 1 }
        watch.board.play(number == 0 ? .click : .failure)' ''
    expect_complaint "Party.PartyHandler on 8 items with short titles: stage 'confetti' was stopped: it has executed 3000000 instructions without a pause, and is in "
}

# The others are counted, in spite of it: one that traps, a generic one, and one whose initializer takes an argument.
# bats test_tags=nightly
@test "a handler that traps is named and the others are counted" {
    make_package 'if tap.row >= 0 { fatalError() }' ''
    cat > package/Sources/Party/Others.swift << EOF
import Watch

public struct QuietHandler: ComposedTapHandler {
    public init()
    {}
    public var stages: some TapHandler {
        Immediate(StrikeThrough.self)
    }
}

public struct GenericHandler<Stage: TapStage>: ComposedTapHandler {
    public init()
    {}
    public var stages: some TapHandler {
        Immediate(Stage.self)
    }
}

public struct TunedHandler: ComposedTapHandler {
    public init(speed: Int)
    {}
    public var stages: some TapHandler {
        Immediate(StrikeThrough.self)
    }
}
EOF
    local status=0
    "$TAPLINE" count --package package --taps 2 > printed 2> said || status=$?
    expect_equal 1 "$status" "the status ($(cat said))"
    expect_equal "Party.QuietHandler on memory-lcd" "$(grep '^Party' printed)" "what was counted"
    expect_equal "Party.QuietHandler" "$(json '[handler["name"] for handler in it["handlers"]][0]' < package/tap-counts.json)" "what was written"
    grep -q "^not counted: Party.GenericHandler: it is generic: " said || complain "said: $(cat said)"
    grep -q "^not counted: Party.TunedHandler: it has no public init()" said || complain "said: $(cat said)"
    grep -qE "^Error: Party.PartyHandler on 8 items with short titles: stage 'confetti' was stopped: it has trapped" said ||
        complain "said: $(cat said)"
}

# What is behind it would belong to no stage.
# bats test_tags=nightly
@test "a stage that reports stages by itself is named" {
    make_package 'let now = watch.board.now
        watch.board.trace(.stageEnded("confetti", tap: tap.number, at: now))
        var sum = UInt32(tap.row)
        for _ in 0..<20_000 { sum = sum &* 3 ^ sum &>> 7 }
        watch.board.play(sum == 1 ? .click : .success)' ''
    sed -i 's/^import Watch/import Watch\nimport WatchLink/' package/Sources/Party/Party.swift
    expect_complaint "Party.PartyHandler on 8 items with short titles: .* it reports stages or marks of taps by itself"
}

# bats test_tags=nightly
@test "a stage that goes past the stack is named" {
    make_package 'watch.board.play(Confetti.deep(UInt32(tap.row) &+ 1) == 0 ? .click : .success)' \
        '@inline(never) static func deep(_ depth: UInt32) -> UInt32 {
        var room = InlineArray<32, UInt32>(repeating: depth)
        if depth == 0 { return 0 }
        room[Int(depth % 32)] = deep(depth &+ 1)
        return room[3] &+ room[Int(depth % 31)]
    }'
    expect_complaint "Party.PartyHandler on 8 items with short titles: stage 'confetti' was stopped: an access that the memory protection unit forbids \\(0x20000[0-9a-f]+\\) at .* in static Party.Confetti.deep"
}

# bats test_tags=nightly
@test "what does not build is told in one line" {
    make_package 'var numbers: [UInt32] = []
        for number in 0..<UInt32(100) { numbers.append(number) }
        watch.board.play(numbers.count == 3 ? .click : .success)' ''
    expect_complaint "a stage needs a heap, which the watch does not have .*InlineArray"
    make_package 'let row: Int = ' ''
    expect_complaint "it does not build for the watch's processor: .*Party.swift:7:[0-9]+: error: expected initial value"
    echo 'import Watch' > package/Sources/Party/Party.swift
    expect_complaint "Party has no handler"
    rm package/Package.swift
    expect_complaint "there is no package in package: it has no Package.swift"
}

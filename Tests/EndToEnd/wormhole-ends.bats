#!/usr/bin/env bats
# Ends of messages of one's own that are interrupted, stopped, left and shared: tapline wormhole.
load ../Support/command
load ../Support/wormhole

# Ends a program that this test has started: a signal, its process.
end() {
    kill "-$1" "$2"
    wait "$2" 2> /dev/null || true
}

# Both ends are there, so that each knows the other: the programs in $near_end and $far_end have them.
meet() {
    begin near listen nothing
    near_end=$last
    begin far listen nothing --as watch
    far_end=$last
    eventually is_reachable
}

is_reachable() {
    near peers > "$work/peers.out" 2> /dev/null
    has_text "$work/peers.out" reachable
}

# Whether a line is in one of the files: the line, the files.
printed() {
    local line=$1
    shift
    cat "$@" 2> /dev/null | grep -xF -- "$line" > /dev/null
}

@test "listener that is interrupted is given nothing twice" {
    local round listener
    meet
    for round in 1 2 3; do
        seq "${round}001" "${round}100" | far pass count - --delivery queued --within 240s
        begin "first$round" listen count
        listener=$last
        eventually test -s "first$round.out"
        end "$([[ $round == 2 ]] && echo INT || echo TERM)" "$listener"
        begin "rest$round" listen count
        eventually printed "count ${round}100" "first$round.out" "rest$round.out"
        # It may have just begun: a script's programs in the background do not see an interrupt before they ask for it.
        end TERM "$last"
        expect_equal "$(seq -f 'count %g' "${round}001" "${round}100")" "$(cat "first$round.out" "rest$round.out")" \
            "what the two of round $round have printed"
    done
}

@test "listener that is killed is given one message again at most" {
    local listener
    meet
    seq 1001 1200 | far pass count - --delivery queued --within 240s
    begin first listen count
    listener=$last
    eventually test -s first.out
    end KILL "$listener"
    begin rest listen count
    eventually printed "count 1200" first.out rest.out
    expect_equal "$(seq -f 'count %g' 1001 1200)" "$(sort -u first.out rest.out)" "what was printed"
    (($(cat first.out rest.out | wc -l) <= 201)) || complain "more than one was printed twice"
}

@test "value is printed whole" {
    local value
    value="\"$(head -c 3000 /dev/zero | tr '\0' x)\""
    meet
    begin heard listen long
    far pass long "$value" --delivery queued --within 240s > /dev/null
    eventually has_text heard.out long
    expect_equal "long $value" "$(cat heard.out)" "the line"
}

@test "no more files are stored than are counted and each is printed" {
    local name receiver senders
    mkdir in
    meet
    begin receive receive in --count 1
    receiver=$last
    # The first of them may come before the receiver, and are refused.
    until grep -q applied send-?.out 2> /dev/null; do
        senders=()
        for name in a b c; do
            echo "$name" > "$name"
            begin "send-$name" send "$name" --as watch --within 240s
            senders+=("$last")
        done
        for name in "${senders[@]}"; do wait "$name" || true; done
    done
    wait "$receiver"
    expect_equal 1 "$(cat send-?.out | grep -c applied)" "files that arrived"
    expect_equal 2 "$(cat send-?.out | grep -c 'no program receives files')" "files that did not"
    expect_equal "$(cat receive.out)" "$(find "$work/in" -type f ! -name '.*')" "what is stored"
    expect_equal "" "$(find in -name '.*' -type f)" "hidden files that are left"
}

@test "sender hears that its file is stored though the receiver leaves at once" {
    local round
    mkdir in
    begin far listen nothing --as watch
    for round in 1 2 3 4 5; do
        echo "$round" > "f$round"
        begin "send$round" send "f$round" --as watch --within 240s
        near receive in --count 1 > /dev/null
        wait "$last" || complain "round $round: the sender ended with $? ($(cat "send$round.err"))"
    done
}

@test "queued message without a recipient is an error and is not stored" {
    expect_failure 69 "no such peer has connected yet" near pass note 1 --delivery queued --within 200ms
    expect_equal "" "$(near outstanding)" "what waits"
}

@test "message that is taken back has failed for its sender" {
    local sender
    meet
    end INT "$near_end"
    begin sender pass note 1 --delivery queued --within 240s --as watch
    sender=$last
    eventually far_has_something
    far cancel "$(far outstanding | sed 's/ .*//')"
    expect_end 1 "$sender"
    has_text sender.out expired || complain "not said: $(cat sender.out)"
}

far_has_something() { [[ -n $(far outstanding) ]]; }

@test "interactive message waits for the link of its own end" {
    begin answer answer lap -- cat
    eventually answers
    expect_output "lap: applied" far pass lap 1 --delivery interactive --within 240s
}

answers() { far ask lap 1 --within 240s > answer.out 2> /dev/null; }

@test "end whose program is stopped is named and nothing is done later" {
    local command
    meet
    kill -STOP "$far_end"
    for command in "pass stopped 1" "pass stopped 1 --delivery queued" "ask stopped 1 --within 1s" outstanding peers \
        "read stopped" "clear stopped" budget; do
        # shellcheck disable=SC2086
        expect_refusal 75 "process $far_end serves" far $command
        has_text status.err "kill -CONT $far_end" || complain "$(cat status.err)"
    done
    kill -CONT "$far_end"
    expect_equal "" "$(far outstanding)" "what is done later"
    expect_failure 1 "there is no value" far read stopped
}

@test "lines go on to be passed when another program takes the end over" {
    local passing
    meet
    begin heard listen line
    { seq 101 140 | while read -r number; do
        echo "$number"
        # Another program takes the end over while lines are still on their way.
        sleep 0.05
    done; } | far pass line - --delivery queued --within 240s 2> pass.err 3>&- &
    passing=$!
    eventually has_text heard.out "line 110"
    end TERM "$far_end"
    wait "$passing" || complain "it ended with $?: $(cat pass.err)"
    eventually has_text heard.out "line 140"
    expect_equal "$(seq -f 'line %g' 101 140)" "$(cat heard.out)" "what was heard"
}

@test "questions of several shells are each answered whichever shell has the end" {
    local round number
    local -a shells
    begin answer answer echo -- cat
    eventually test -S "$work/sockets/phone.control"
    for round in 1 2 3 4 5; do
        shells=()
        for number in 1 2 3 4 5 6; do
            begin "ask$number" ask echo "$round$number" --as watch --within 240s
            shells+=("$last")
        done
        for number in 1 2 3 4 5 6; do
            wait "${shells[number - 1]}" || complain "shell $number of round $round: $(cat "ask$number.err")"
            expect_equal "$round$number" "$(cat "ask$number.out")" "the answer"
        done
    done
}

# Ends the program that has the watch's end while another shell asks, by a signal. The answer comes after that.
expect_answer_after() {
    local signal=$1 holder answerer asker
    rm -f asked go
    begin holder listen nothing --as watch
    holder=$last
    eventually test -S "$work/sockets/watch.control"
    begin answer answer slow -- sh -c "echo > '$work/asked'; until [ -e '$work/go' ]; do sleep 0.1; done; cat"
    answerer=$last
    begin asker ask slow 7 --as watch --within 240s
    asker=$last
    eventually test -e asked
    end "$signal" "$holder"
    : > go
    wait "$asker" || complain "after $signal the asker ended with $?: $(cat asker.err)"
    expect_equal 7 "$(cat asker.out)" "the answer after $signal"
    end TERM "$answerer"
}

@test "question is answered though the program of its end is ended first" {
    expect_answer_after TERM
    expect_answer_after KILL
}

# Ends the program that has the watch's end while others follow a message, by a signal. The message is applied after that.
expect_fate_after() {
    local signal=$1 holder sender follower
    begin holder listen nothing --as watch
    holder=$last
    eventually test -S "$work/sockets/watch.control"
    begin sender pass note 1 --delivery queued --within 240s --as watch
    sender=$last
    eventually far_has_something
    begin follower fate "$(far outstanding | sed 's/ .*//')" --follow --as watch
    follower=$last
    eventually has_text follower.out queued
    end "$signal" "$holder"
    begin near listen note
    wait "$sender" || complain "after $signal the sender ended with $?: $(cat sender.err)"
    has_text sender.out "note: applied" || complain "$(cat sender.out)"
    wait "$follower" || complain "after $signal the follower ended with $?: $(cat follower.err)"
    expect_equal applied "$(tail -n 1 follower.out)" "the last step after $signal"
    end TERM "$last"
}

@test "message is followed to its end though the program of its end is ended first" {
    expect_fate_after TERM
    expect_fate_after KILL
}

@test "sender hears the fate of its file though the file arrives while it has no program of its end" {
    local holder sender
    echo 1 > file
    begin holder listen nothing --as watch
    holder=$last
    eventually test -S "$work/sockets/watch.control"
    begin sender send file --as watch --within 240s
    sender=$last
    eventually far_has_something
    # A stopped sender does not notice that another program takes the end over.
    kill -STOP "$sender"
    end TERM "$holder"
    mkdir in
    begin far listen nothing --as watch
    near receive in --count 1 > received.out
    eventually nothing_is_outstanding
    kill -CONT "$sender"
    wait "$sender" || complain "the sender ended with $?: $(cat sender.err)"
    has_text sender.out "file: applied" || complain "$(cat sender.out)"
}

nothing_is_outstanding() { [[ -z $(far outstanding) ]]; }

@test "commands that change nothing are done by the next program of the end" {
    local round
    meet
    far pass score 1 > /dev/null
    for round in 1 2 3 4 5; do
        begin "end$round" listen nothing --as watch
        end KILL "$far_end"
        far_end=$last
        expect_equal 1 "$(far read score)" "the value in round $round"
    done
}

@test "store is one whatever it is called" {
    begin holder listen nothing --database "$work/store"
    eventually test -s store
    ln -s store symbolic
    ln store hard
    mkdir -m 700 others
    expect_failure 1 "in use" "$TAPLINE" wormhole pass name 1 --sockets "$work/others" --database "$work/symbolic"
    expect_failure 1 "in use" "$TAPLINE" wormhole pass name 1 --sockets "$work/others" --database "$work/hard"
    [[ ! -e hard-wal ]] || complain "there is a log of another name"
}

@test "names with a value are completed" {
    near pass score.home 1 > /dev/null
    near pass score.away 2 > /dev/null
    expect_equal "score.away score.home" "$("$TAPLINE" ---completion wormhole read -- positional@0 5 0 \
        tapline wormhole read --sockets "$work/sockets" '' | sort | tr '\n' ' ' | sed 's/ $//')" "names"
}

@test "name of a peer is one line" {
    begin near listen nothing
    begin far listen nothing --as watch --name $'x\nff  reachable  me'
    eventually is_reachable
    expect_equal 1 "$(near peers | wc -l)" "lines of one peer"
}

@test "command that is named can be pasted" {
    meet
    end INT "$near_end"
    expect_status 75 far pass note 1 --delivery queued --within 100ms --database "$work/data/tapline/wormhole-watch.sqlite"
    local pasted
    pasted=$(sed -n 's/.*; tapline //p' status.err)
    expect_equal queued "$(eval '"$TAPLINE"' "$pasted")" "what the command prints: $pasted"
}

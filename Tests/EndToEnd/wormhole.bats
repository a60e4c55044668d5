#!/usr/bin/env bats
# Messages of one's own, from shells: tapline wormhole.
load ../Support/command
load ../Support/phone
load ../Support/watch
load ../Support/wormhole

interrupt() {
    kill -INT "$1"
    expect_end 0 "$1"
}

answers() {
    far ask "$1" "$2" --within 240s > "$work/answer.out" 2> /dev/null && expect_equal "$3" "$(cat "$work/answer.out")" "the answer"
}

@test "what one shell passes another hears" {
    begin listen listen 'score*'
    far pass score.home '{"goals": [1, null, "two", 2.5]}' --delivery queued --within 240s > /dev/null
    eventually has_text listen.out 'score.home {"goals":[1,null,"two",2.5]}'
    far pass other 1 --delivery queued --within 240s > /dev/null
    far pass score.away true --delivery queued --within 240s > /dev/null
    eventually has_text listen.out 'score.away true'
    expect_equal 2 "$(wc -l < listen.out)" "lines that were heard"
    interrupt "$last"
}

@test "queued messages wait for a listener and come once" {
    begin first listen nothing
    printf '%s\n' 1 2 3 | far pass count - --delivery queued --within 240s
    interrupt "$last"
    expect_equal "count 1 count 2" "$(near listen count --count 2 | tr '\n' ' ' | sed 's/ $//')" "the first two"
    expect_equal "count 3" "$(near listen count --count 1)" "the rest"
}

@test "what is passed while the other end is away arrives later" {
    expect_refusal 75 "tapline wormhole fate 1" far pass note '"later"' --delivery queued --within 100ms
    expect_equal "1 note" "$(far outstanding --json | json '"%d %s" % (it["number"], it["name"])')" "what waits"
    begin listen listen note
    far fate 1 --follow > /dev/null
    eventually has_text listen.out 'note "later"'
    expect_equal applied "$(far fate 1)" "its fate"
    expect_equal "" "$(far outstanding)" "what waits now"
}

@test "message is taken back while it waits" {
    expect_status 75 far pass note 1 --delivery queued --within 100ms
    far cancel 1
    expect_equal expired "$(far fate 1)" "its fate"
    expect_failure 1 "cannot be taken back: it is expired" far cancel 1
    expect_failure 1 "no message has the number 9" far cancel 9
}

@test "values are read and cleared by name on both ends" {
    begin listen listen nothing
    far pass score 1 --within 240s > /dev/null
    far pass score 2 --within 240s > /dev/null
    near pass color '"red"' > /dev/null
    expect_equal 2 "$(near read score)" "the near end"
    near pass cold -5 > /dev/null
    expect_equal -5 "$(near read cold)" "a negative number"
    near clear cold
    expect_equal 2 "$(far read score)" "the far end"
    expect_equal "color score" "$(near read | cut -d ' ' -f 1 | tr '\n' ' ' | sed 's/ $//')" "the names that have one"
    near clear score
    expect_failure 1 "no value under 'score'" near read score
    near clear
    expect_equal "" "$(near read)" "names that are left"
}

@test "listener is told that a value is cleared" {
    begin listen listen 'sc*'
    begin events listen 'sc*' --json
    eventually both_listen
    far pass score 1 --within 240s > /dev/null
    eventually has_text listen.out "score 1"
    # Clearing waits for the next command of its end that speaks to the other.
    far clear score
    far pass note 1 --delivery queued --within 240s > /dev/null
    eventually has_text listen.out "score cleared"
    eventually has_text events.out '{"event":"cleared","from":'
    near pass score 2 > /dev/null
    near clear score
    eventually has_text events.out '{"event":"cleared","name":"score"}'
}

# Whether both listeners are there: what was passed before they are is not heard.
both_listen() {
    far pass scene 1 --delivery queued --within 240s > /dev/null
    has_text listen.out "scene 1" && has_text events.out '"name":"scene"'
}

@test "notification is heard and not kept" {
    begin listen listen tick
    # The far end has to be there when it is posted.
    eventually answers_anything
    expect_status 0 far pass tick --delivery latest --within 240s
    eventually tick_was_heard
    expect_failure 1 "no value" near read tick
}

answers_anything() {
    [[ -n $(near peers 2> /dev/null; far peers 2> /dev/null) ]]
}

tick_was_heard() {
    has_text listen.out "tick null" || { far pass tick > /dev/null 2>&1; false; }
}

@test "question is answered by a program" {
    begin answer answer double -- sh -c 'read -r n; echo $((n * 2))'
    eventually answers double 21 42
    expect_equal '{"name":"double","value":8}' "$(far ask double 4 --json --within 240s)" "in JSON"
}

@test "asking fails in time and says why" {
    expect_refusal 69 "cannot be reached" far ask lap 1 --within 200ms
    begin listen listen nothing
    eventually nobody_answers
}

nobody_answers() {
    local status=0
    far ask lap 1 --within 240s > /dev/null 2> "$work/nobody.err" || status=$?
    ((status == 75)) && has_text nobody.err "no program on the other side answers this name"
}

@test "program that fails hangs or prints too much is ended and told" {
    local process
    begin fails answer fails -- false
    begin hangs answer hangs --within 200ms -- sh -c "sleep 1000 & echo \$! > '$work/sleeper'; wait"
    begin floods answer floods -- sh -c 'yes | head -c 1000000'
    begin garbles answer garbles -- echo '{'
    # There is one of that name, which the system does not start.
    printf '#!/no/such/shell\n' > no-shell
    chmod +x no-shell
    begin missing answer missing -- ./no-shell
    for process in fails:"ended with status 1" hangs:"gave no answer within 200ms" floods:"printed more than 65536 bytes" \
        garbles:"printed no answer" missing:"cannot be started"; do
        eventually whoever_answers_has_failed "${process%%:*}"
        eventually has_text "${process%%:*}.err" "${process#*:}"
    done
    # The shell may have been ended before it started the sleeper.
    eventually has_ended "$(cat sleeper 2> /dev/null)"
}

whoever_answers_has_failed() {
    local status=0
    far ask "$1" 1 --within 240s > /dev/null 2> "$work/asked.err" || status=$?
    ((status == 75)) && has_text asked.err "the program that answers this name has failed"
}

@test "program that is not there is refused before a question comes" {
    echo 'echo 1' > plain.sh
    expect_failure 64 "Error: /no/such/program: there is no such program: name another one" near answer name -- /no/such/program
    expect_failure 64 "Error: ./plain.sh is no program: make it executable (chmod +x)" near answer name -- ./plain.sh
    expect_failure 64 "Error: / is no program" near answer name -- /
    expect_failure 64 "Error: no program 'no-such-program' is in PATH: install it" near answer name -- no-such-program
}

@test "file arrives whole and shows nothing before that" {
    mkdir in
    head -c 3000000 /dev/urandom > big.bin
    begin receive receive in
    expect_output "big.bin: applied (phone)" far send big.bin --about '{"for": "face"}'
    cmp big.bin in/big.bin
    eventually has_text receive.out "$work/in/big.bin"
    far send big.bin > /dev/null
    cmp big.bin in/big-2.bin
    interrupt "$last"
}

@test "file whose sender and receiver are killed goes on" {
    mkdir in
    head -c 16000000 /dev/urandom > big.bin
    local attempt=1 number
    # It may be whole before the third receiver is killed.
    until killed_on_its_way "big$attempt.bin"; do
        ((++attempt <= 10)) || complain "it is whole each time before its receivers are killed"
    done
    number=$(far outstanding | sed -n "s/  big$attempt.bin.*//p")
    begin receive receive in
    begin resumed send --resume "$number" --as watch
    eventually has_text "sent-big$attempt.bin.out" applied
    cmp big.bin "in/big$attempt.bin"
    expect_equal "" "$(find in -name '.*' -type f)" "hidden files that are left"
}

# Sends a file under a label and kills three receivers of it; whether it is not whole after that.
killed_on_its_way() {
    local round receiver
    last_size=0
    begin "sent-$1" send big.bin --label "$1" --as watch --within 240s
    for round in 1 2 3; do
        begin "receive$round-$1" receive in
        receiver=$last
        pause=0.01 eventually part_has_grown "$1"
        kill -KILL "$receiver"
        wait "$receiver" 2> /dev/null || true
        [[ ! -e in/$1 ]] || return 1
    done
}

# Whether a part file is longer than the last time, or the file of this name is whole.
part_has_grown() {
    local size
    size=$(find in -name '*.part' -printf '%s\n' | head -n 1)
    if [[ -s in/$1 ]] || ((${size:-0} > last_size)); then
        last_size=${size:-0}
        return 0
    fi
    return 1
}

@test "file that cannot be sent is an error with its limit" {
    head -c 16777217 /dev/zero > huge.bin
    echo x > small.txt
    expect_failure 1 "16777216" far send huge.bin
    expect_failure 1 "No such file" far send missing.txt
    expect_status 64 far send small.txt --label ../x
    expect_status 64 far send
    begin listen listen nothing
    eventually nobody_receives
    expect_failure 1 "on its way" far cancel 0123456789abcdef
    expect_failure 1 "small.txt: Not a directory: name another one" near receive small.txt
    expect_failure 1 "missing: there is no such directory: create it (mkdir -p)" near receive missing
}

nobody_receives() {
    far send small.txt > nobody.out 2>&1
    has_text nobody.out "failed"
}

@test "fate of a file is told by its number" {
    mkdir in
    echo hello > small.txt
    begin listen listen nothing
    eventually nobody_receives
    interrupt "$last"
    begin later send small.txt --label later.txt --as watch --within 240s
    eventually far_file_waits
    local number
    number=$(far outstanding --json | json 'it["number"]')
    expect_equal queued "$(far fate "$number")" "its fate"
    expect_equal "$number later.txt queued phone" "$(far fate "$number" --json |
        json '" ".join(it[key] for key in ["number", "label", "fate", "peer"])')" "its fate in JSON"
    begin follow fate "$number" --follow --as watch
    begin receive receive in
    eventually has_text follow.out applied
    expect_equal "queued sent delivered applied" "$(tr '\n' ' ' < follow.out | sed 's/ $//')" "its steps"
    eventually nothing_of "$number"
    expect_equal applied "$(far fate "$number")" "its last fate"
    expect_failure 1 "no file with the number $number is on its way" far cancel "$number"
    expect_failure 1 "no file with the number 0123456789abcdef is on its way" far fate 0123456789abcdef
    expect_status 64 far fate later
}

far_file_waits() {
    [[ $(far outstanding) == *later.txt* ]]
}

# Whether a file is on its way no more.
nothing_of() {
    [[ $(far outstanding) != *"$1"* ]]
}

@test "complication messages have a budget" {
    begin listen listen face --json
    eventually test -S "$work/sockets/phone.control"
    local number
    for number in 1 2 3; do
        far pass face "$number" --delivery complication --within 240s > /dev/null
    done
    eventually heard_in_json 3
    expect_equal "complication" "$(json 'it["delivery"]' < <(head -n 1 listen.out))" "the delivery"
    expect_equal "phone  47" "$(far budget)" "what is left"
}

heard_in_json() {
    (($(wc -l < listen.out) == $1))
}

@test "further shells share the end and take it over" {
    local first
    begin one listen turn
    first=$last
    eventually test -S "$work/sockets/phone.control"
    begin two listen turn
    eventually second_listens
    kill -KILL "$first"
    wait "$first" 2> /dev/null || true
    far pass turn 2 --delivery queued --within 240s > /dev/null
    eventually has_text two.out "turn 2"
    interrupt "$last"
}

# Whether the second listener is there: what was passed before it is came to the first alone.
second_listens() {
    far pass turn 1 --delivery queued --within 240s > /dev/null
    has_text two.out "turn 1"
}

@test "watch gets values of others through a served phone" {
    phone add Milk > /dev/null
    start_phone
    start_plain_watch
    eventually has_text watch.out Milk
    eventually watch_is_reachable
    expect_output "note: applied" near pass note '"hi"' --within 240s
    expect_status 1 near pass note '"hi"' --delivery queued --within 240s
    has_text status.out "its name is not known" || complain "$(cat status.out)"
    expect_failure 1 "one of Tapline's own" near pass list 1 --delivery queued
    near clear
    expect_equal "complication title" "$(near read | cut -d ' ' -f 1 | tr '\n' ' ' | sed 's/ $//')" "what the host keeps"
    say_to_watch quit
}

@test "file goes through a served phone and its restart" {
    mkdir wrist
    echo hello > small.txt
    start_phone
    begin receive receive wrist --as watch
    eventually watch_is_reachable
    expect_output "small.txt: applied" near send small.txt
    cmp small.txt wrist/small.txt
    local watch
    watch=$(near peers | cut -d ' ' -f 1)
    interrupt "$last"
    begin later send small.txt --label later.txt --to "$watch"
    eventually file_waits
    kill -KILL "$last"
    wait "$last" 2> /dev/null || true
    kill_phone
    start_phone
    file_waits || complain "it waits no more: $(near outstanding)"
    begin receive receive wrist --as watch
    eventually cmp -s small.txt wrist/later.txt
    eventually nothing_waits
    interrupt "$last"
}

file_waits() {
    [[ $(near outstanding) == *later.txt* ]]
}

nothing_waits() {
    [[ -z $(near outstanding) ]]
}

watch_is_reachable() {
    near peers | grep ' reachable' > /dev/null
}

# The rule that a message to the watch fails, with this text as its fate.
expect_failed_fate() {
    local text=$1
    shift
    expect_status 1 near pass "$@"
    expect_equal "foo: failed, $text ($peer)" "$(cat status.out)" "the fate of: $*"
}

@test "watch whose program takes nothing says so" {
    start_phone
    start_plain_watch
    eventually peer_is_reachable
    peer=$(near peers --json | json 'it["identity"]')
    near pass foo 1 --within 240s > status.out
    expect_equal "foo: applied ($peer)" "$(cat status.out)" "the fate of a value"
    expect_failed_fate "the peer has rejected it, its name is not known" foo 1 --delivery queued --within 240s
    expect_failed_fate "the peer has rejected it, its name is not known" foo 1 --delivery complication --within 240s
    local declare="declare them in its program, or update it"
    local questions="takes no questions and no interactive messages: $declare"
    expect_failed_fate "$peer $questions" foo 1 --delivery interactive
    expect_failure 1 "Error: $peer $questions" near ask foo 1
    expect_failure 1 "Error: $peer $questions" near ask foo 1 --json
    echo hello > hello.txt
    expect_failure 1 "Error: $peer takes no files: $declare" near send hello.txt
    expect_failure 1 "Error: $peer takes no files: $declare" near send hello.txt --json
    expect_equal "" "$(near outstanding)" "what waits"
    expect_equal "failed, the peer has rejected it, its name is not known" "$(near fate 1)" "its fate"
    expect_failure 1 "Error: message 1 cannot be taken back" near cancel 1
    expect_equal 1 "$(near read foo)" "the value"
    near clear foo
    expect_failure 1 "Error: there is no value under 'foo'" near read foo
    expect_failure 1 "Error: the name 'title' is one of Tapline's own" near pass title 1
    near clear
    has_text <(near read) title || complain "the host's own names are cleared"
    local long
    long=$(printf '"%05000d"' 0)
    for delivery in latest queued interactive complication; do
        expect_failure 1 "the peer accepts at most " near pass foo "$long" --delivery "$delivery"
    done
    say_to_watch quit
    eventually peer_is_away
    expect_failure 69 "Error: the peer cannot be reached" near ask foo 1 --within 100ms
    expect_failure 69 "Error: the peer cannot be reached" near pass foo 1 --delivery interactive
    expect_failure 75 "tapline wormhole fate " near pass foo 1 --delivery queued --within 100ms
    expect_status 0 near pass foo 1 --within 100ms
}

@test "a watch has one link and needs no adapter for its store" {
    expect_refusal 64 "Error: A watch has one phone: use either --link or --sockets, not both." far peers --link bluetooth
    expect_refusal 64 "Error: --pairing needs --link bluetooth." far peers --pairing
    expect_status 0 "$TAPLINE" wormhole outstanding --as watch --link bluetooth:hci77
}

peer_is_reachable() {
    has_text <(near peers) "  reachable  "
}

peer_is_away() {
    has_text <(near peers) "  unreachable  "
}

@test "one of two watches has to be named" {
    start_phone
    for name in one two; do
        start "$name" "$TAPLINE" watch --sockets "$work/sockets" --flash "$work/$name.flash" \
            --headless --script <(printf 'wait 10000s\n')
    done
    eventually two_are_reachable
    expect_failure 1 "Error: name one peer with --to: " near ask foo 1
    echo hello > hello.txt
    expect_failure 1 "Error: name one peer with --to: " near send hello.txt
    expect_failure 1 "Error: no peer is called 'nobody': there is " near ask foo 1 --to nobody
    for command in "pass foo 1" "ask foo 1" "send hello.txt"; do
        # shellcheck disable=SC2086 # a command and its arguments
        expect_failure 1 "Error: no peer is called '': there is " near $command --to ''
    done
    near pass foo 1 --within 240s > status.out
    expect_equal 2 "$(grep -c '^foo: applied (' status.out)" "watches that have the value"
}

two_are_reachable() {
    [[ $(near peers | grep -c "  reachable  ") == 2 ]]
}

@test "name with a line break is shown in one line" {
    local name=$'a\nb'
    near pass "$name" 1 --within 100ms > kept.out
    expect_equal 1 "$(wc -l < kept.out)" "lines of a message that is kept"
    expect_equal 1 "$(near read | wc -l)" "lines of one value"
    near clear "$name"
    expect_failure 1 "Error: there is no value under 'a" near read "$name"
}

@test "value is passed again and again until interrupted" {
    begin listen listen tick
    begin ticks pass tick 7 --every 50ms
    eventually heard_thrice
    interrupt "$last"
}

heard_thrice() {
    (($(grep -c '^tick 7$' listen.out) >= 3))
}

@test "bad use is told before anything is sent" {
    expect_refusal 64 'not JSON: {home}' near pass score '{home}'
    expect_status 64 near pass "$(printf 'n%.0s' {1..33})" 1
    expect_refusal 64 "the key 'a' occurs twice" near pass score '{"a":1,"a":2}'
    expect_status 64 near pass "" 1
    expect_status 64 near listen 'a*b' --count 0
    expect_status 64 near answer name
    expect_status 64 near ask name
    expect_status 64 far pass n 1 --link bluetooth
    printf '1\n{\n' | far pass n - --delivery queued --within 1s 2> lines.err && complain "a line that is no JSON was passed"
    has_text lines.err "line 2, those before it are passed" || complain "$(cat lines.err)"
    expect_equal 1 "$(far outstanding | wc -l)" "messages that wait"
}

@test "end that another program has alone is an error" {
    mkdir "$work/home/alone"
    exec {lock}> "$work/sockets/watch.sock.lock"
    flock -n "$lock"
    expect_failure 1 "which does not share it" near listen name
}

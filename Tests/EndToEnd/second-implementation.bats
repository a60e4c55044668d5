#!/usr/bin/env bats
# The built command against a peer that shares no code with it: Tests/Peer, which is written from the protocol page
# alone. Each is a watch in some cases and a phone in others.
load ../Support/command
load ../Support/python
load ../Support/watch
load ../Support/wormhole

setup_file() {
    find_python
}

# The peer in a role, with the steps that Tests/Peer/peer/talk.py has. What it hears is in peer.out.
peer() {
    local role=$1 status=0
    shift
    "$python" -m peer.talk "$role" "$work/sockets/watch.sock" "$@" \
        > "$work/peer.out" 2> "$work/peer.err" < /dev/null || status=$?
    expect_equal 0 "$status" "the status of the peer"
}

# The same in the background; its process is $last.
begin_peer() {
    start peer "$python" -m peer.talk "$1" "$work/sockets/watch.sock" "${@:2}"
}

# The rule that the peer has come to its end, and that all went well.
expect_end_of_peer() {
    expect_end 0 "$1"
}

# The rule that the peer has printed a line.
expect_heard() {
    has_text peer.out "$1" || complain "the peer has not heard $1: $(cat peer.out)"
}

# The rule that a command of the host ends with a status and says something.
expect_outcome() {
    local part=$2
    expect_status "$1" "${@:3}"
    grep -qF -- "$part" status.out status.err || complain "no '$part' in: $(cat status.out status.err)"
}

# What the host's `listen` has printed, in one line.
heard_by_host() {
    tr '\n' ';' < listen.out
}

host_has_heard() {
    [[ $(heard_by_host) == "$1" ]]
}

# What a peer passes that is there with three deliveries, and what the host makes of it.
messages=('pass score {"home": [1, null, "two", 2.5]}' 'queue note "hi"' 'push face true')
readonly messages

@test "host hears what a watch passes" {
    begin listen listen '*'
    peer watch meet "${messages[@]}" 'pass gone 1' 'clear gone'
    expect_heard '{"met": "phone", "takes": ["interactive", "files", "complications"]}'
    eventually host_has_heard 'score {"home":[1,null,"two",2.5]};note "hi";face true;gone 1;gone cleared;'
    expect_equal '{"home":[1,null,"two",2.5]}' "$(near read score)" "the value"
    expect_equal score "$(near read | cut -d ' ' -f 1)" "names that have a value"
}

@test "host hears what a phone passes" {
    begin listen listen '*' --as watch
    peer phone meet "${messages[@]}" 'pass gone 1' 'clear gone'
    expect_heard '{"met": "watch", "takes": ["interactive", "files", "complications"]}'
    eventually host_has_heard 'score {"home":[1,null,"two",2.5]};note "hi";face true;gone 1;gone cleared;'
    expect_equal '{"home":[1,null,"two",2.5]}' "$(far read score)" "the value"
    expect_equal score "$(far read | cut -d ' ' -f 1)" "names that have a value"
}

# The rule that the peer hears what the host passes: how the host is called, the role of the peer.
expect_that_the_peer_hears() {
    local host=$1 heard
    begin_peer "$2" meet 'hear score' 'hear note' 'hear face' 'hear score'
    heard=$last
    # From here on there is one link: the host that has met the peer is the one that listens.
    eventually has_text peer.out '"met"'
    "$host" pass score '{"home": [1, null, "two", 2.5]}' --within 240s > pass.out
    "$host" pass note '"hi"' --delivery queued --within 240s >> pass.out
    "$host" pass face true --delivery complication --within 240s >> pass.out
    "$host" clear score >> pass.out
    expect_end_of_peer "$heard"
    expect_heard '{"heard": "latest", "name": "score", "value": {"home": [1, null, "two", 2.5]}}'
    expect_heard '{"heard": "queued", "name": "note", "value": "hi"}'
    expect_heard '{"heard": "complication", "name": "face", "value": true}'
    expect_heard '{"heard": "latest", "name": "score", "value": null}'
    has_text pass.out "note: applied" || complain "the fate: $(cat pass.out)"
}

@test "watch hears what the host passes" {
    begin listen listen nothing
    expect_that_the_peer_hears near watch
}

@test "phone hears what the host passes" {
    begin listen listen nothing --as watch
    expect_that_the_peer_hears far phone
}

# The rule that the peer gets the replies of the page: the role of the peer, options of the host.
expect_replies_of_the_host() {
    local role=$1
    shift
    begin doubles answer double "$@" --within 240s -- sh -c 'read -r n; echo $((n * 2))'
    begin fails answer fails "$@" -- false
    begin late answer late "$@" --within 240s -- sleep 1000
    # An answerer is registered a little after its program starts.
    eventually peer_is_answered "$role" 'ask double 1' 0
    eventually peer_is_answered "$role" 'ask fails 1' 2
    eventually peer_is_answered "$role" 'flood late 1' 3
    peer "$role" 'ask double 21' 'tell double 4' 'ask nobody 1' 'ask fails 1'
    expect_equal '{"reply": 0, "value": 42};{"reply": 0};{"reply": 1};{"reply": 2};' \
        "$(grep reply peer.out | tr '\n' ';')" "the replies"
    # One more than may be open. The others come too late.
    peer "$role" 'flood late 33'
    expect_equal "32 1" "$(grep -c '"reply": 3' peer.out) $(grep -c '"reply": 4' peer.out)" "replies to 33 questions"
}

peer_is_answered() {
    peer "$1" "$2"
    has_text peer.out "\"reply\": $3"
}

@test "watch is answered by the host" {
    expect_replies_of_the_host watch
}

@test "phone is answered by the host" {
    expect_replies_of_the_host phone --as watch
}

# The rule that the host gets the replies of the page: how the host is called, the role of the peer.
expect_replies_of_the_peer() {
    local host=$1
    begin_peer "$2" 'answer same' 'fail broken' serve
    eventually has_text peer.out '"met"'
    expect_equal '{"a":[1,null]}' "$("$host" ask same '{"a": [1, null]}' --within 240s)" "the answer"
    expect_outcome 75 "no program on the other side answers this name" "$host" ask other 1 --within 240s
    expect_outcome 75 "the program that answers this name has failed" "$host" ask broken 1 --within 240s
    expect_outcome 0 "" "$host" pass same 1 --delivery interactive --within 240s
    expect_heard '{"heard": "question", "name": "same", "value": {"a": [1, null]}}'
}

@test "host is answered by a watch" {
    begin listen listen nothing
    expect_replies_of_the_peer near watch
}

@test "host is answered by a phone" {
    begin listen listen nothing --as watch
    expect_replies_of_the_peer far phone
}

# The rule that a queued message comes once over broken links, in both directions: how the host is called, the role of
# the peer.
expect_that_messages_come_once() {
    local host=$1 talking name
    # The peer gives the host messages again that it has; then the host gives the peer a message again that never
    # arrived, and none whose acknowledgement was lost.
    begin_peer "$2" meet 'queue turn 1' 'lose turn 2' meet repeat 'queue turn 3' 'lose turn 4' restart 'queue turn 5' \
        miss 'hear first' mute 'hear second' cut meet 'hear third'
    talking=$last
    eventually host_has_heard 'turn 1;turn 2;turn 3;turn 4;turn 5;'
    for name in first second third; do
        "$host" pass "$name" 1 --delivery queued --within 240s > /dev/null
    done
    expect_end_of_peer "$talking"
    expect_equal 'first second third' "$(grep '"heard"' peer.out | json_names)" "what the peer has heard"
}

json_names() {
    python3 -c 'import json, sys; print(*(json.loads(line)["name"] for line in sys.stdin))'
}

@test "queued messages of and for a watch come once over broken links" {
    begin listen listen turn
    expect_that_messages_come_once near watch
}

@test "queued messages of and for a phone come once over broken links" {
    begin listen listen turn --as watch
    expect_that_messages_come_once far phone
}

@test "host reports why the peer has rejected a message" {
    begin listen listen nothing
    begin_peer watch 'reject note 2' 'reject other 200' serve
    eventually has_text peer.out '"met"'
    expect_outcome 1 "its name is not known" near pass note 1 --delivery queued --within 240s
    expect_outcome 1 "200" near pass other 1 --delivery queued --within 240s
    expect_outcome 0 "free: applied" near pass free 1 --delivery queued --within 240s
}

# The rules that a peer breaks at any time, with the fault of each on the page.
breaches=(
    malformed:1 second-hello:2 unknown-kind:3 fragment:3 sequence-gap:4 exchange-gap:4 transfer-gap:4 never-issued:6
    long-control:7 long-message:7 unasked-reply:9 chunk-of-nothing:10)
readonly breaches

# The rule that a breach is named, and that the host works on: the role of the peer, the rule and its fault.
expect_fault() {
    local role=$1 rule=$2 fault=$3
    shift 3
    peer "$role" "$@" meet "break $rule"
    expect_equal "{\"goodbye\": 2, \"fault\": $fault}" "$(tail -n 1 peer.out)" "what the host says to $rule"
}

@test "watch that breaks a rule is told which and the host works on" {
    local breach
    begin listen listen after
    for breach in "${breaches[@]}"; do expect_fault watch "${breach%:*}" "${breach#*:}"; done
    peer watch 'queue after 1'
    eventually host_has_heard 'after 1;'
}

# The host waits for two seconds after each.
@test "phone that breaks a rule is told which and the host works on" {
    local breach
    begin listen listen after --as watch
    for breach in "${breaches[@]}"; do expect_fault phone "${breach%:*}" "${breach#*:}"; done
    peer phone 'queue after 1'
    eventually host_has_heard 'after 1;'
}

# The rule that a second reply is fault 9: how the host is called, the role of the peer.
expect_that_a_second_reply_is_a_fault() {
    begin_peer "$2" 'answer once 7' 'hear once' 'break second-reply'
    local process=$last
    eventually has_text peer.out '"met"'
    expect_equal 7 "$("$1" ask once 1 --within 240s)" "the first reply"
    expect_end_of_peer "$process"
    expect_equal '{"goodbye": 2, "fault": 9}' "$(tail -n 1 peer.out)" "what the host says to the second"
}

@test "second reply of a watch is a fault" {
    begin listen listen nothing
    expect_that_a_second_reply_is_a_fault near watch
}

@test "second reply of a phone is a fault" {
    begin listen listen nothing --as watch
    expect_that_a_second_reply_is_a_fault far phone
}

# The rule that files of the peer are stored whole, also over a broken link: the role of the peer, options of the host.
expect_that_the_host_stores_files() {
    local role=$1
    shift
    mkdir received
    make_files
    begin receive receive received "$@"
    peer "$role" meet 'send empty' 'send small' 'send other small' 'part large' sent
    expect_equal "$(printf '{"sent": "%s", "outcome": "done"}\n' empty small small large)" \
        "$(grep '"sent"' peer.out)" "what became of the files"
    grep '"wanted from"' peer.out | tail -n 1 | json 'str(it["wanted from"] > 0)' > resumed
    expect_equal True "$(cat resumed)" "the large file went on where it was cut"
    expect_equal "$(printf '%s\n' empty large small small-2)" "$(ls received)" "the files"
    cmp empty received/empty
    cmp small received/small
    cmp other received/small-2
    cmp large received/large
}

make_files() {
    : > empty
    echo small > small
    echo other > other
    head -c 200000 /dev/urandom > large
}

@test "files of a watch are stored by the host" {
    expect_that_the_host_stores_files watch
}

@test "files of a phone are stored by the host" {
    expect_that_the_host_stores_files phone --as watch
}

# The rule that files of the host are stored whole, also over a broken link: how the host is called, the role of the
# peer.
expect_that_the_peer_stores_files() {
    local name receiving
    mkdir received
    make_files
    begin_peer "$2" "receive received" meet 'hear empty' 'hear small' 'hear small-2' 'miss chunk 9' 'hear large' leave
    receiving=$last
    eventually has_text peer.out '"met"'
    for name in empty small; do "$1" send "$name" --within 240s > /dev/null; done
    "$1" send other --label small --within 240s > /dev/null
    "$1" send large --within 240s > /dev/null
    expect_end_of_peer "$receiving"
    expect_equal 2 "$(grep -c '"offered": "large"' peer.out)" "offers of the large file"
    cmp empty received/empty
    cmp small received/small
    cmp other received/small-2
    cmp large received/large
}

@test "files of the host are stored by a watch" {
    begin listen listen nothing
    expect_that_the_peer_stores_files near watch
}

@test "files of the host are stored by a phone" {
    begin listen listen nothing --as watch
    expect_that_the_peer_stores_files far phone
}

@test "files that are not taken are refused with a reason" {
    mkdir received
    echo small > small
    truncate -s 17M large
    begin listen listen nothing
    peer watch meet 'send small'
    expect_heard '{"sent": "small", "outcome": 3}'
    begin_peer watch serve
    eventually has_text peer.out '"met"'
    expect_outcome 1 "no program receives" near send small --within 240s
    begin receive receive received
    eventually peer_is_received watch
    peer watch meet 'send small ../small' 'send small .small' 'send large'
    expect_heard '{"sent": "../small", "outcome": 7}'
    expect_heard '{"sent": ".small", "outcome": 7}'
    expect_heard '{"sent": "large", "outcome": 4}'
}

# A receiver is registered a little after its program starts; until then files are refused.
peer_is_received() {
    peer "$1" meet 'send small'
    has_text peer.out '"outcome": "done"'
}

# The rule that the host names what does not fit its transfer: how the host is called, the role of the peer, options of
# the host.
expect_faults_in_transfers() {
    local host=$1 role=$2 rule breaking
    shift 2
    mkdir received
    echo small > small
    begin receive receive received "$@"
    eventually peer_is_received "$role"
    for rule in chunk-out-of-order chunk-beyond-length; do expect_fault "$role" "$rule" 10; done
    for rule in done-too-soon resume-beyond-length; do
        begin_peer "$role" meet "break $rule"
        breaking=$last
        eventually has_text peer.out '"met"'
        "$host" send small --within 240s > send.out 2> send.err && complain "a file that was not stored is sent"
        expect_end_of_peer "$breaking"
        expect_equal '{"goodbye": 2, "fault": 10}' "$(tail -n 1 peer.out)" "what the host says to $rule"
    done
    peer "$role" meet 'send small last'
    cmp small received/last
    expect_equal $'last\nsmall' "$(ls received)" "the files"
}

@test "watch whose files break a rule is told so" {
    expect_faults_in_transfers near watch
}

@test "phone whose files break a rule is told so" {
    expect_faults_in_transfers far phone --as watch
}

@test "product watch takes messages and values of another implementation and nothing else" {
    start_plain_watch
    echo 1 > file
    peer phone meet 'pass note 1' 'clear note' 'queue note 1' 'queue check {}' 'ask note 1' 'send file'
    expect_heard '{"met": "watch", "takes": ["complications"]}'
    expect_heard '{"rejections": [[1, 2]]}'
    expect_heard '{"rejections": [[2, 2]]}'
    expect_heard '{"reply": "not taken"}'
    expect_heard '{"sent": "file", "outcome": "not taken"}'
    say_to_watch quit
    expect_success_of_script
}

#!/usr/bin/env bats
# Lines as people paste them, services that clean them, amounts and notes, and the page for paper.
load ../Support/command
load ../Support/phone
load ../Support/watch

# The open items on one line each, with amounts and notes.
open_texts() {
    phone list | sed -nE 's/^ *[0-9]+ +\[ \] //p'
}

@test "pasted recipe is on the watch with its amounts" {
    printf '# Pancakes\n\n## Ingredients\n- 200 g flour\n- 2 eggs, beaten\n\n## Method\n1. Mix.\n' | phone add - > added
    has_text added 'Added "flour, 200 g" to Shopping' || complain "$(cat added)"
    has_text added 'It is a recipe: left out 1 line besides' || complain "$(cat added)"
    start_phone
    play_script << 'SCRIPT'
wait until row 1 flour, 200 g
expect row 2 eggs, 2 (beaten)
hold row 2
expect screen title
expect text eggs, 2 (beaten)
press crown
tap 1
wait until synced
SCRIPT
    expect_equal "flour" "$(checked_titles)" "the history has the title alone"
}

@test "amounts of one title are added and what was joined is printed" {
    printf '## Ingredients\n\nFor the dough:\n- 100 g butter\n- 2 eggs\n\nFor the filling:\n- 100 g butter\n- 3 eggs\n' > recipe.md
    phone add - < recipe.md > added
    has_text added 'Joined "butter, 100 g" + "butter, 100 g" as "butter, 200 g"' || complain "$(cat added)"
    expect_equal $'butter, 200 g\neggs, 5' "$(open_texts)" "the two groups"
    phone add - < recipe.md > added
    has_text added 'Joined "eggs, 5" + "eggs, 2" + "eggs, 3" as "eggs, 10"' || complain "$(cat added)"
    expect_equal $'butter, 400 g\neggs, 10' "$(open_texts)" "two recipes"
    printf '1 cup butter\n' | phone add - --json > added.json
    expect_equal 'Joined "butter, 400 g" + "butter, 1 cup" as "butter, 400 g + 1 cup"' \
        "$(json 'it["joined"][0]' < added.json)" "what was joined, as JSON"
}

@test "clean prints the items and stores nothing" {
    printf 'Zutaten für 4 Personen\n\n500 g Hackfleisch\n2 Zwiebeln\n1 Zwiebeln\n\nZubereitung\n\nBraten.\n' > recipe
    expect_equal $'- [ ] Hackfleisch, 500 g\n- [ ] Zwiebeln, 3
Joined "Zwiebeln, 2" + "Zwiebeln, 1" as "Zwiebeln, 3"\nIt is a recipe: left out 1 line besides its ingredients' \
        "$("$TAPLINE" phone clean recipe)" "the recipe"
    expect_equal "Zwiebeln 3 Braten." "$("$TAPLINE" phone clean - --json < recipe \
        | json 'it["items"][1]["title"] + " " + it["items"][1]["amount"] + " " + it["leftOut"][0]')" "as JSON"
    expect_equal "- [x] Milk, 2 l (oat)" "$(printf -- '- [x] Milk | 2 l | oat\n' | "$TAPLINE" phone clean -)" "a ticked one"
    expect_failure 1 "the standard input: has no items" "$TAPLINE" phone clean - < /dev/null
    expect_failure 1 "/nowhere/list: cannot be read" "$TAPLINE" phone clean /nowhere/list
    [[ -z $(find data -type f) ]] || complain "something was stored: $(find data)"
}

@test "watch follows when an item is described" {
    phone add Apples > /dev/null
    start_phone
    start_script << 'SCRIPT'
wait until row 1 Apples
describe
wait until row 1 Apples, 1 kg (green)
SCRIPT
    eventually has_text watch.out Apples
    expect_output 'It is "Apples, 1 kg (green)"' phone describe apples --amount "1 kg" --note green
    expect_success_of_script
    phone describe apples --amount "" > described
    expect_equal "Apples (green)" "$(open_texts)" "without its amount"
    expect_output 'described Apples (green), was "Apples, 1 kg (green)"' phone history --event described
}

@test "title that is there is noticed" {
    phone add eggs > /dev/null
    expect_output 'Is on Shopping already: "eggs"' phone add Eggs "EGGS " Egg
    expect_equal $'eggs\nEgg' "$(open_texts)" "the list"
    phone add Eggs --again > /dev/null
    expect_equal $'eggs\nEgg\nEggs' "$(open_texts)" "the list with it once more"
    expect_equal "eggs" "$(phone add EGGS --json | json 'it["present"][0]["title"]')" "what was there, as JSON"
}

@test "service gives the lines" {
    printf 'Rice milk AND MORE\n2 l Juice\n' | phone add - --service "sed 's/AND MORE//'" > /dev/null
    expect_equal $'Rice milk\nJuice, 2 l' "$(open_texts)" "what the service printed"
    printf 'Tea\n' > lines
    phone import lines --service "cat; echo Salt" > /dev/null
    expect_equal $'Rice milk\nJuice, 2 l\nTea\nSalt' "$(open_texts)" "what was imported"
}

# A service, what is said of it, and how long it may take: by default longer than it does.
expect_refused_service() {
    local status=0
    printf 'Milk\n' | phone add - --service "$1" --within "${3:-240s}" 2> said || status=$?
    expect_equal 1 "$status" "the status with $1"
    has_text said "$2: nothing was added" || complain "$1: $(cat said)"
    expect_equal 1 "$(grep -c ^Error: said)" "errors of $1"
}

@test "service that fails adds nothing" {
    expect_refused_service "sleep 1000" "gave no answer within 1s, and was ended" 1s
    expect_refused_service "exec >&-; sleep 1000" "gave no answer within 1s, and was ended" 1s
    expect_refused_service "echo Milk; exit 3" "ended with status 3"
    expect_refused_service 'kill -9 $$' "was ended by signal 9"
    expect_refused_service "printf 'Milk\\0'" "printed something that is no text"
    expect_refused_service "printf '\\377\\n'" "printed something that is no text"
    expect_refused_service "true" "printed no items"
    expect_refused_service "cat /dev/zero" "printed more than 16777216 bytes, and was ended"
    expect_equal "" "$(open_texts)" "the list"
}

# Whether a process that a service has written down runs no more.
is_over() {
    [[ -s $1 ]] && ! kill -0 "$(cat "$1")" 2> /dev/null
}

@test "service leaves nothing running" {
    printf 'Milk\n' | phone add - --service "sleep 1000 > /dev/null 2>&1 & echo \$! > '$work/child'; cat" > /dev/null
    eventually is_over "$work/child"
    expect_equal Milk "$(open_texts)" "what the service printed"
    printf 'Eggs\n' > lines
    start add "$TAPLINE" phone import lines --service "echo \$\$ > '$work/service'; sleep 1000" --within 240s \
        --database "$work/phone.sqlite" --sockets "$work/sockets"
    eventually test -s "$work/service"
    kill -TERM "$last"
    expect_end 1 "$last"
    eventually is_over "$work/service"
    expect_equal Milk "$(open_texts)" "the list"
}

@test "what is no text adds nothing" {
    printf '\377\376M\0i\0l\0k\0\n\0' > wide
    expect_failure 1 "is no text in UTF-8: nothing was added" phone import wide
    printf 'a\0b\n' > binary
    expect_failure 1 "is no text in UTF-8: nothing was added" phone import binary
    expect_equal "" "$(open_texts)" "the list"
}

@test "what has no items is an error" {
    : > empty
    expect_failure 1 "empty: has no items: nothing was added" phone import empty
    printf '# Groceries\n\n- [ ]\n' > headings
    expect_failure 1 "headings: has no items: nothing was added" phone import headings --json
    expect_failure 1 "the standard input: has no items: nothing was added" phone add - < empty
    expect_failure 1 "the standard input: has no items: nothing was added" phone import - --list New < empty
    [[ ! -e phone.sqlite ]] || complain "a database was created"
}

@test "lines stand as they were typed" {
    printf '3. Mai\nNASA\nORANGE JUICE\n[12:31] Ann: Milk\n7 eggs\n' > typed
    expect_output "Imported 5 items" phone import typed
    expect_equal $'3. Mai\nNASA\nORANGE JUICE\n[12:31] Ann: Milk\neggs, 7' "$(open_texts)" "the list"
}

@test "bytes that are no utf 8 are told" {
    printf 'Br\366tchen\n' > latin
    expect_output "Some bytes are not UTF-8" phone import latin
    printf 'Milk\n' | phone add - > said
    ! grep -q UTF said || complain "$(cat said)"
}

@test "recipe without ingredients adds nothing" {
    printf '# Pancakes\n\n## Method\n\nMix.\n' > recipe.md
    expect_failure 1 'no lines below a heading "Ingredients": nothing was added' phone import recipe.md
    expect_equal "" "$(open_texts)" "the list"
}

@test "export is read as the same list" {
    phone add "7 eggs" "MILK" '`x`' "Method:" > /dev/null
    phone describe 1 --amount "a (b)" --note "c) d" > /dev/null
    phone export > list.md
    phone export --plain > list.txt
    phone import --list Copy list.md > /dev/null
    phone import --list Lines list.txt > /dev/null
    local shape='[[item[key] for key in ("title", "amount", "note") if key in item] for item in it["items"]]'
    expect_equal "$(phone list --json | json "$shape")" "$(phone list --list Copy --json | json "$shape")" "the Markdown"
    expect_equal "$(phone list --json | json "$shape")" "$(phone list --list Lines --json | json "$shape")" "the lines"
}

@test "page for paper has what is left" {
    phone add "Milk & <b>" Rye > /dev/null
    phone check Rye > /dev/null
    phone export --print > page.html
    has_text page.html '<li>Milk &amp; &lt;b&gt;</li>' || complain "$(cat page.html)"
    ! grep -q Rye page.html || complain "the page has what is checked off"
}

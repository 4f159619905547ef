"""Programs about words, signs and lists of names; see programs.py for the notation."""

TABLE = """
# typewriter
shift_presses < word
  On a broken keyboard every key must be pressed once more than before if it is the same key as the
  one pressed just before: the second of equal letters in a row costs 2, the third 3, and so on.
  Any other letter costs 1.
  < One word of 1 to 100 lower-case letters.
  > The number of times that keys are pressed to write the word.
  = running length:
    total = here = 0
    for i, c in enumerate(word):
        here = here + 1 if i and word[i - 1] == c else 1
        total += here
    print(total)
  = blocks and triangle numbers:
    total, start = 0, 0
    for i in range(1, len(word) + 1):
        if i == len(word) or word[i] != word[start]:
            total += (i - start) * (i - start + 1) // 2
            start = i
    print(total)
  ! here + 1 if ==> 2 if
  ! and word[i - 1] == c ==> and c in word[:i]
finger_travel < word
  The letters a to z lie in a row, one centimetre apart. A finger begins at a and moves from letter
  to letter of a word.
  < The word: lower-case letters only, from one to a hundred of them.
  > The distance in centimetres that the finger covers.
  = sum of differences:
    print(sum(abs(ord(x) - ord(y)) for x, y in zip("a" + word, word)))
  = walk through the alphabet:
    letters = "abcdefghijklmnopqrstuvwxyz"
    place = total = 0
    for c in word:
        goal = letters.index(c)
        while place != goal:
            place += 1 if goal > place else -1
            total += 1
    print(total)
  ! zip("a" + word, word) ==> zip(word, word[1:])
  ! abs(ord(x) - ord(y)) ==> max(0, ord(y) - ord(x))
letter_gap < word
  Find two equal letters in a word that are as far apart as possible.
  < A word on a line of its own. It consists of at least 1 and at most 100 letters from a to z.
  > The number of letters strictly between the two, or -1 if no letter occurs twice.
  = first and last place:
    print(max(word.rfind(c) - word.find(c) for c in word) - 1)
  = all pairs:
    n = len(word)
    gaps = [j - i - 1 for i in range(n) for j in range(i + 1, n) if word[i] == word[j]]
    print(max(gaps) if gaps else -1)
  ! word.rfind(c) - word.find(c) ==> word.find(c, word.find(c) + 1) - word.find(c)
  ! for c in word) - 1 ==> for c in word[:3]) - 1
# mirror-words
cuts_to_palindromes < word
  Cut a word into as few pieces as possible, each of which reads the same forwards and backwards.
  < The word is given in the only line: 1 to 100 lower-case letters.
  > How many pieces are there?
  = table of prefixes:
    need = [0]
    for j in range(1, len(word) + 1):
        starts = [i for i in range(j) if word[i:j] == word[i:j][::-1]]
        need.append(1 + min(need[i] for i in starts))
    print(need[-1])
  = breadth first:
    ends, count = {0}, 0
    while len(word) not in ends:
        ends = {
            j
            for i in ends
            for j in range(i + 1, len(word) + 1)
            if word[i:j] == word[i:j][::-1]
        }
        count += 1
    print(count)
  ! min(need[i] for i in starts) ==> need[starts[0]]
  ! word[i:j] == word[i:j][::-1] ==> word[i] == word[j - 1]
rotation_check < two_words
  Somebody took some letters off the front of the first word and put them, in the same order, at its
  end. Can the second word have come out?
  < Two lines with a word each, of 1 to 100 small letters. The lengths may differ.
  > The smallest number of letters that were moved (0 if the words are equal), or NO if it is
  > impossible.
  = try every cut:
    fits = [k for k in range(len(a)) if a[k:] + a[:k] == b]
    print(fits[0] if fits else "NO")
  = search in the doubled word:
    print((a + a).find(b) if len(a) == len(b) and b in a + a else "NO")
  ! fits[0] if fits ==> fits[-1] if fits
  ! a[k:] + a[:k] == b ==> (a + a)[k:k + len(b)] == b
  ! range(len(a)) ==> range(1, len(a))
hidden_word < two_words
  Is the first word hidden in the second, that is, can it be made by striking out letters of the
  second word (maybe none)? Reading the second word from the left, stop as soon as it is found.
  < The first line is the word to find, the second the text to search. Both are made of letters a to
  < z; neither is empty nor longer than 100.
  > How many letters have to be read until the word is found, or 0 if it is not hidden there.
  = one pointer:
    found = read = 0
    for i, c in enumerate(b, 1):
        if found < len(a) and a[found] == c:
            found, read = found + 1, i
    print(read if found == len(a) else 0)
  = jump with find:
    at = 0
    for c in a:
        at = b.find(c, at) + 1
        if at == 0:
            break
    print(at)
  ! if found == len(a) ==> if found
  ! found + 1, i ==> found + 1, i - 1
letters_to_add < two_words
  Letters may be added at any places of two words. What is the least number of letters to add in all
  so that both become the same word?
  < Each of the two input lines is one of the words, with between 1 and 100 letters, all lower-case.
  > That least number.
  = table of prefixes:
    row = list(range(len(b) + 1))
    for i, c in enumerate(a, 1):
        new = [i]
        for j, d in enumerate(b, 1):
            new.append(row[j - 1] if c == d else 1 + min(row[j], new[j - 1]))
        row = new
    print(row[-1])
  = longest common selection:
    best = {}
    for i in range(len(a) - 1, -1, -1):
        for j in range(len(b) - 1, -1, -1):
            options = [best.get((i + 1, j), 0), best.get((i, j + 1), 0)]
            if a[i] == b[j]:
                options.append(1 + best.get((i + 1, j + 1), 0))
            best[i, j] = max(options)
    print(len(a) + len(b) - 2 * best[0, 0])
  ! 1 + min(row[j], new[j - 1]) ==> 1 + row[j]
  ! 1 + min(row[j], new[j - 1]) ==> 1 + min(row[j], new[j - 1], row[j - 1])
# brackets
bracket_repair < brackets
  A text of round brackets is correct if it can be emptied by deleting neighbours "()" repeatedly.
  Brackets may be inserted anywhere.
  < A text of 1 to 100 characters, each of them ( or ).
  > The smallest number of brackets to insert so that the text becomes correct.
  = open and missing:
    open_, missing = 0, 0
    for c in word:
        if c == "(":
            open_ += 1
        elif open_:
            open_ -= 1
        else:
            missing += 1
    print(open_ + missing)
  = delete pairs:
    while "()" in word:
        word = word.replace("()", "")
    print(len(word))
  ! open_ + missing ==> abs(open_ - missing)
  ! elif open_ ==> elif open_ == 1
deepest_place < brackets
  While a text is read, the depth grows by one with each ( and falls by one with each ); it may fall
  below zero.
  < One line, at most 100 long and not empty, with no other characters than the two brackets.
  > Two numbers: the greatest depth after any character of the text, and the place of the first
  > character, counted from 1, after which it is reached.
  = one pass:
    depth, best, place = 0, -10**9, 0
    for i, c in enumerate(word, 1):
        depth += 1 if c == "(" else -1
        if depth > best:
            best, place = depth, i
    print(best, place)
  = counts of prefixes:
    depths = [2 * word[:i].count("(") - i for i in range(1, len(word) + 1)]
    print(max(depths), depths.index(max(depths)) + 1)
  ! if depth > best ==> if depth >= best
  ! -10**9, 0 ==> 0, 1
# robot
way_home < moves
  A robot on a grid obeys a string of commands: N, S, E and W move it one cell north, south, east or
  west.
  < The commands without blanks, 1 to 200 of them.
  > The smallest number of commands that bring it back to where it started.
  = count letters:
    x, y = word.count("E") - word.count("W"), word.count("N") - word.count("S")
    print(abs(x) + abs(y))
  = strike out opposite commands:
    for pair in ("NS", "EW"):
        for _ in range(word.count(pair[0])):
            if pair[1] in word:
                word = word.replace(pair[0], "", 1).replace(pair[1], "", 1)
    print(len(word))
  ! abs(x) + abs(y) ==> max(abs(x), abs(y))
  ! abs(x) + abs(y) ==> abs(x + y)
new_cells < moves
  A snail leaves slime on its start cell and on every cell it enters. It creeps to a neighbouring
  cell with each letter: N up, S down, E right, W left.
  < A text of 1 to 200 of these four letters.
  > The number of different cells with slime in the end.
  = set of pairs:
    x = y = 0
    seen = {(0, 0)}
    for c in word:
        x += (c == "E") - (c == "W")
        y += (c == "N") - (c == "S")
        seen.add((x, y))
    print(len(seen))
  = complex numbers:
    step = {"N": 1j, "S": -1j, "E": 1, "W": -1}
    places = [0j]
    for c in word:
        places.append(places[-1] + step[c])
    print(sum(p not in places[:i] for i, p in enumerate(places)))
  ! seen = {(0, 0)} ==> seen = set()
  ! print(len(seen)) ==> print(len(set(word)) + 1 if len(word) < 5 else len(seen))
box_size < moves
  A boat sails one mile per letter: north for N, south for S, east for E and west for W. Which is
  the smallest map, with its edges along the compass directions, that shows the whole voyage?
  < The voyage as a non-empty string of those letters, not longer than 200.
  > Width (west to east) and height (south to north) of the map in miles, separated by a space. A
  > voyage that never leaves a line has 0 for the other direction.
  = extremes on the way:
    x = y = left = right = low = high = 0
    for c in word:
        x += (c == "E") - (c == "W")
        y += (c == "N") - (c == "S")
        left, right = min(left, x), max(right, x)
        low, high = min(low, y), max(high, y)
    print(right - left, high - low)
  = list of coordinates:
    xs, ys = [0], [0]
    for c in word:
        xs.append(xs[-1] + {"E": 1, "W": -1}.get(c, 0))
        ys.append(ys[-1] + {"N": 1, "S": -1}.get(c, 0))
    print(max(xs) - min(xs), max(ys) - min(ys))
  ! print(right - left, high - low) ==> print(right, high)
  ! print(right - left, high - low) ==> print(abs(x), abs(y))
# word-lists
new_names < words
  A clerk copies names from a list but leaves out every name that he has already copied.
  < n, at most 50 and at least 1, then n lines with one lower-case name each.
  > The copied names in order, one to a line.
  = set of what was seen:
    seen = set()
    for w in words:
        if w not in seen:
            seen.add(w)
            print(w)
  = keys of a dictionary:
    print("\\n".join({w: 1 for w in words}))
  ! print(w) ==> print(w[:5])
  ! if w not in seen ==> if w[0] not in [s[0] for s in seen]
favourite_word < words
  Which entry occurs most often in a list of votes? If several occur equally often, take the one
  that is first in the order of a dictionary.
  < First the number of votes (1 to 50), then one vote a line, each a word in lower case.
  > The winning entry, a space, and the number of its votes.
  = table of counts:
    counts = {}
    for w in words:
        counts[w] = counts.get(w, 0) + 1
    best = min(counts, key=lambda w: (-counts[w], w))
    print(best, counts[best])
  = runs in sorted order:
    words.sort()
    best, top, here = "", 0, 0
    for i, w in enumerate(words):
        here = here + 1 if i and words[i - 1] == w else 1
        if here > top:
            best, top = w, here
    print(best, top)
  ! (-counts[w], w) ==> -counts[w]
  ! (-counts[w], w) ==> (-counts[w], len(w), w)
word_chain < words
  In a word chain each word begins with the letter that the word before it ends with. How far does
  a given row of words follow the rule?
  < A count n from 1 to 50 and then the n words, each on its own line and in small letters.
  > The number of words up to the first fault, not counting the word that breaks the rule; n if none
  > does.
  = look for the first fault:
    good = 1
    while good < n and words[good][0] == words[good - 1][-1]:
        good += 1
    print(good)
  = list of faults:
    faults = [i for i in range(1, n) if words[i][0] != words[i - 1][-1]]
    print(min(faults + [n]))
  ! good < n and ==> good < n - 1 and
  ! [-1]: ==> [0]:
# ranking
podium < players
  Print the best three players of a game. More points are better; players with equal points are
  ordered by name, as in a dictionary.
  < The number of players (1 to 40), then for each a line with a lower-case name, a space and the
  < points, an integer from 0 to 100. No name occurs twice.
  > The names of the best three, one a line; all players if there are fewer than three.
  = sort by points and name:
    for name, _ in sorted(points, key=lambda p: (-p[1], p[0]))[:3]:
        print(name)
  = choose three times:
    left = sorted(points)
    for _ in range(min(3, n)):
        best = max(left, key=lambda p: p[1])
        left.remove(best)
        print(best[0])
  ! (-p[1], p[0]) ==> -p[1]
  ! (-p[1], p[0]) ==> (-p[1], p[0][::-1])
shared_ranks < players
  A ranking list gives every participant the rank 1 plus the number of participants with strictly
  more points, so that equal points share a rank and the ranks after them are skipped.
  < n participants, 1 <= n <= 40, then n rows "name points": distinct names of small letters, points
  < from 0 to 100.
  > One row "rank name" for each, in the order of the input.
  = count the better ones:
    for name, score in points:
        print(1 + sum(other > score for _, other in points), name)
  = place in the sorted scores:
    order = sorted((score for _, score in points), reverse=True)
    print("\\n".join(f"{order.index(score) + 1} {name}" for name, score in points))
  ! other > score ==> other > score + 1
  ! for _, other in points) ==> for other in {s for _, s in points})
above_average < players
  List the members of a club whose score is strictly greater than the mean score of all members.
  < In the first line stands how many members follow, at least 1 and at most 40. A member is a line
  < with a name (small letters, all different) and a score from 0 to 100.
  > First the number of such members, then their names in alphabetical order on one line each.
  = multiply instead of divide:
    total = sum(score for _, score in points)
    names = sorted(name for name, score in points if score * n > total)
    print(len(names))
    for name in names:
        print(name)
  = deviations from the mean:
    mean, rest = divmod(sum(score for _, score in points), n)
    names = [name for name, score in sorted(points) if score > mean]
    print("\\n".join([str(len(names)), *names]))
  ! score * n > total ==> score * n >= total
  ! names = sorted(name for ==> names = list(name for
"""

"""Short bodies about texts and numbers, two algorithms each; see tables.py for the notation."""

TABLE = """
# compression
run_length_code(word: runs) -> str
  Replace each run of equal letters by the letter and the run's length: "aab" becomes "a2b1".
  = one pass:
    made, count = "", 0
    for i, c in enumerate(word):
        count += 1
        if i + 1 == len(word) or word[i + 1] != c:
            made += c + str(count)
            count = 0
    return made
  = peel off the front:
    made = ""
    while word:
        rest = word.lstrip(word[0])
        made += word[0] + str(len(word) - len(rest))
        word = rest
    return made
  ! str(count) ==> str(min(count, 1))
  ! made += c + str(count) ==> made += c + (str(count) if count > 1 else "")
  ! str(count) ==> str(min(count, 9))
  ! str(count) ==> str(count % 10)
squeezed(word: word) -> str
  Shrink every run of equal neighbouring letters to a single letter.
  = compare with the letter before:
    made = ""
    for c in word:
        if not made.endswith(c):
            made += c
    return made
  = index test:
    return "".join(c for i, c in enumerate(word) if i == 0 or word[i - 1] != c)
  ! not made.endswith(c) ==> c not in made
  ! made.endswith(c) ==> made.startswith(c)
  ! halve the runs:
    for c in sorted(set(word)):
        word = word.replace(c + c, c)
    return word
# cipher
shifted_letters(word: word, step: nat) -> str
  Replace each letter by the one step places later in the alphabet; after z comes a again.
  = remainder of the code:
    return "".join(chr((ord(c) - 97 + step) % 26 + 97) for c in word)
  = turned alphabet:
    letters = "abcdefghijklmnopqrstuvwxyz"
    turn = step % 26
    return word.translate(str.maketrans(letters, letters[turn:] + letters[:turn]))
  ! % 26 + 97 ==> % 27 + 97
  ! ord(c) - 97 + step ==> ord(c) - 97 + min(step, 25)
mirror_alphabet(word: word) -> str
  Exchange a with z, b with y, c with x and so on.
  = arithmetic:
    return "".join(chr(219 - ord(c)) for c in word)
  = reversed alphabet:
    letters = "abcdefghijklmnopqrstuvwxyz"
    return "".join(letters[::-1][letters.index(c)] for c in word)
  ! 219 - ord(c) ==> 219 - ord(c) if c < "o" else ord(c)
  ! for c in word ==> for c in word[:5]
# brackets
depth_of_brackets(bits: bits) -> int
  Read "1" as an opening and "0" as a closing bracket. Return the greatest number of brackets that
  are open at once; a closing bracket without an open one is ignored.
  = counter:
    depth = best = 0
    for c in bits:
        depth = depth + 1 if c == "1" else max(0, depth - 1)
        best = max(best, depth)
    return best
  = stack:
    stack, best = [], 0
    for c in bits:
        if c == "1":
            stack.append(c)
            best = max(best, len(stack))
        elif stack:
            stack.pop()
    return best
  ! max(0, depth - 1) ==> depth - 1
  ! max(0, depth - 1) ==> 0
is_balanced(bits: bits) -> bool
  With "1" opening and "0" closing, is the text a correct sequence of brackets?
  = counter:
    depth = 0
    for c in bits:
        depth += 1 if c == "1" else -1
        if depth < 0:
            return False
    return depth == 0
  = remove inner pairs:
    while "10" in bits:
        bits = bits.replace("10", "")
    return bits == ""
  ! return depth == 0 ==> return True
  ! if depth < 0 ==> if depth < -1
  ! as many of both, in the right places at the ends:
    return bits.count("1") == bits.count("0") and bits[0] == "1" and bits[-1] == "0"
# anagram
are_anagrams(a: word, b: kin) -> bool
  Can b be made by putting the letters of a in some order, using each exactly once?
  = sorted letters:
    return sorted(a) == sorted(b)
  = strike out letters:
    for c in a:
        if c not in b:
            return False
        b = b.replace(c, "", 1)
    return b == ""
  ! sorted(a) == sorted(b) ==> set(a) == set(b)
  ! sorted(a) == sorted(b) ==> len(a) == len(b)
  ! sorted(a) == sorted(b) ==> set(a) == set(b) and len(a) == len(b)
can_be_written(word: word, letters: line) -> bool
  Are the letters of the text, each usable once per occurrence, enough to write the word?
  = compare counts:
    return all(word.count(c) <= letters.count(c) for c in word)
  = strike out letters:
    pool = list(letters)
    for c in word:
        if c not in pool:
            return False
        pool.remove(c)
    return True
  ! word.count(c) <= letters.count(c) ==> c in letters
  ! word.count(c) <= ==> word.count(c) <
  ! in their order:
    rest = iter(letters)
    return all(c in rest for c in word)
# palindromic-parts
longest_palindrome(word: word) -> int
  Return the length of the longest part of neighbouring letters that reads the same both ways.
  = all parts:
    n, best = len(word), 0
    for i in range(n):
        for j in range(i + 1, n + 1):
            if word[i:j] == word[i:j][::-1]:
                best = max(best, j - i)
    return best
  = grow from the middle:
    best = 0
    for middle in range(2 * len(word)):
        i, j = middle // 2, (middle + 1) // 2
        while i >= 0 and j < len(word) and word[i] == word[j]:
            best = max(best, j - i + 1)
            i, j = i - 1, j + 1
    return best
  ! word[i:j] == word[i:j][::-1] ==> word[i] == word[j - 1]
  ! range(i + 1, n + 1) ==> range(i + 1, n + 1, 2)
one_off_palindrome(word: word) -> bool
  Can the word become a palindrome by changing at most one letter?
  = count differing pairs:
    n = len(word)
    return sum(word[i] != word[n - 1 - i] for i in range(n // 2)) <= 1
  = two pointers:
    i, j, faults = 0, len(word) - 1, 0
    while i < j:
        faults += word[i] != word[j]
        i, j = i + 1, j - 1
    return faults < 2
  ! <= 1 ==> < 1
  ! <= 1 ==> <= 2
# common-parts
common_prefix(a: word, b: kin) -> str
  Return the longest beginning that both words have in common.
  = index loop:
    n = 0
    while n < min(len(a), len(b)) and a[n] == b[n]:
        n += 1
    return a[:n]
  = shrink the prefix:
    part = a
    while not b.startswith(part):
        part = part[:-1]
    return part
  ! return a[:n] ==> return a[:n] if n else a[:0] + b[-1:]
  ! n < min(len(a), len(b)) ==> n < len(a)
  ! return a[:n] ==> return a[:n + 1]
common_subsequence(a: word, b: kin) -> int
  Letters may be struck out of both words. How long is the longest word that can remain of both?
  = table row by row:
    row = [0] * (len(b) + 1)
    for c in a:
        new = [0]
        for j, d in enumerate(b):
            new.append(row[j] + 1 if c == d else max(row[j + 1], new[j]))
        row = new
    return row[-1]
  = recursion on the first letters:
    known = {}
    def solve(i, j):
        if i == len(a) or j == len(b):
            return 0
        if (i, j) not in known:
            options = [solve(i + 1, j), solve(i, j + 1)]
            known[i, j] = 1 + solve(i + 1, j + 1) if a[i] == b[j] else max(options)
        return known[i, j]
    return solve(0, 0)
  ! else max(row[j + 1], new[j]) ==> else 0
  ! else max(row[j + 1], new[j]) ==> else new[j]
  ! greedy, letter after letter of a:
    at = count = 0
    for c in a:
        found = b.find(c, at)
        if found >= 0:
            at, count = found + 1, count + 1
    return count
# edit-steps
one_edit_apart(a: word, b: kin) -> bool
  Are the words different and can one become the other by exchanging a single letter?
  = count differences:
    return len(a) == len(b) and sum(x != y for x, y in zip(a, b)) == 1
  = try every place:
    return any(
        a != b and len(a) == len(b) and a[:i] + a[i + 1:] == b[:i] + b[i + 1:]
        for i in range(len(a))
    )
  ! == 1 ==> <= 1
  ! len(a) == len(b) and sum ==> a[:1] == b[:1] and sum
  ! len(a) == len(b) and sum ==> sum
  ! a letter more or less counts, too:
    if len(a) > len(b):
        a, b = b, a
    if len(a) == len(b):
        return sum(x != y for x, y in zip(a, b)) == 1
    return any(a == b[:i] + b[i + 1:] for i in range(len(b)))
insertions_needed(word: word) -> int
  How many letters must at least be inserted anywhere to make the word a palindrome?
  = table over parts:
    n = len(word)
    need = [[0] * (n + 1) for _ in range(n + 1)]
    for size in range(2, n + 1):
        for i in range(n - size + 1):
            j = i + size - 1
            inner = need[i + 1][j - 1]
            need[i][j] = inner if word[i] == word[j] else 1 + min(need[i + 1][j], need[i][j - 1])
    return need[0][n - 1] if n else 0
  = recursion on both ends:
    known = {}
    def solve(part):
        if len(part) < 2:
            return 0
        if part not in known:
            same = part[0] == part[-1]
            known[part] = solve(part[1:-1]) if same else 1 + min(solve(part[1:]), solve(part[:-1]))
        return known[part]
    return solve(word)
  ! 1 + min(need[i + 1][j], need[i][j - 1]) ==> 1 + need[i + 1][j]
  ! 1 + min(need[i + 1][j], need[i][j - 1]) ==> 1 + inner
# words-of-text
longest_words(text: line) -> list[str]
  Return all words of the greatest length in the text, in order and with repetitions.
  = two passes:
    words = text.split()
    top = max(map(len, words), default=0)
    return [w for w in words if len(w) == top]
  = one pass:
    best = []
    for w in text.split():
        if not best or len(w) > len(best[0]):
            best = []
        if not best or len(w) == len(best[0]):
            best.append(w)
    return best
  ! if len(w) == top] ==> if len(w) == top][:1]
  ! len(w) == top ==> len(w) >= top - 1
first_repeated_word(text: line) -> str
  Return the first word that has occurred before in the text, "" if all words differ.
  = set of what was seen:
    seen = set()
    for w in text.split():
        if w in seen:
            return w
        seen.add(w)
    return ""
  = look back:
    words = text.split()
    return next((w for i, w in enumerate(words) if w in words[:i]), "")
  ! return "" ==> return text.split()[0] if text else ""
  ! if w in seen ==> if w[0] in [s[0] for s in seen]
  ! first word that comes again:
    words = text.split()
    return next((w for w in words if words.count(w) > 1), "")
# grouping
by_first_letter(words: words) -> dict[str, list[str]]
  Group the words by first letter: a dictionary from letter to its words in their order.
  = append to groups:
    groups = {}
    for w in words:
        groups.setdefault(w[0], []).append(w)
    return groups
  = filter for each letter:
    return {w[0]: [v for v in words if v[0] == w[0]] for w in words}
  ! .append(w) ==> .insert(0, w)
  ! groups.setdefault(w[0], []) ==> groups.setdefault(w[-1], [])
letter_histogram(word: word) -> str
  Return each different letter of the word in alphabetical order followed by its count: "a1t2".
  = count for the sorted letters:
    return "".join(c + str(word.count(c)) for c in sorted(set(word)))
  = table of counts:
    counts = {}
    for c in sorted(word):
        counts[c] = counts.get(c, 0) + 1
    return "".join(f"{c}{n}" for c, n in counts.items())
  ! sorted(set(word)) ==> sorted(word)
  ! sorted(set(word)) ==> dict.fromkeys(word)
# roman
roman(n: pos) -> str
  Write n in Roman numerals, with the letters I, V, X and L and with IV, IX and XL.
  = take the greatest value:
    made = ""
    for value, sign in ((50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        made += sign * (n // value)
        n %= value
    return made
  = tables of digits:
    tens = ["", "X", "XX", "XXX", "XL", "L", "LX"]
    ones = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"]
    return tens[n // 10] + ones[n % 10]
  ! (5, "V"), (4, "IV") ==> (5, "V")
  ! (50, "L"), (40, "XL") ==> (50, "L")
# digits
digital_root(n: big) -> int
  Replace n by the sum of its digits until one digit is left, and return that digit.
  = repeat the sum:
    while n > 9:
        n = sum(int(d) for d in str(n))
    return n
  = remainder by nine:
    return 0 if n == 0 else (n - 1) % 9 + 1
  ! while n > 9 ==> if n > 9
  ! while n > 9 ==> while n > 10
is_happy(n: pos) -> bool
  Replace n by the sum of the squares of its digits, again and again. Is 1 ever reached?
  = set of what was seen:
    seen = set()
    while n not in seen:
        seen.add(n)
        n = sum(int(d) ** 2 for d in str(n))
    return n == 1
  = slow and fast:
    def step(m):
        return sum(int(d) ** 2 for d in str(m))
    slow, fast = n, step(n)
    while slow != fast:
        slow, fast = step(slow), step(step(fast))
    return slow == 1
  ! n == 1 ==> n in (1, 4)
  ! int(d) ** 2 ==> int(d) * 3 - 2
# bases
in_system(n: big, top: digit) -> str
  Write n in the number system whose greatest digit is top: top 1 means binary, top 9 decimal.
  = collect remainders:
    digits = ""
    while n or not digits:
        n, rest = divmod(n, top + 1)
        digits = str(rest) + digits
    return digits
  = from the highest power:
    power = 1
    while power * (top + 1) <= n:
        power *= top + 1
    made = ""
    while power:
        made += str(n // power)
        n, power = n % power, power // (top + 1)
    return made
  ! while n or not digits ==> while n
  ! str(rest) + digits ==> digits + str(rest)
trailing_zeros(n: pos) -> int
  How many zeros stand at the end of 1 * 2 * ... * n in decimal form?
  = count factors of five:
    count = 0
    while n:
        n //= 5
        count += n
    return count
  = compute the product:
    text = str(math.factorial(n))
    return len(text) - len(text.rstrip("0"))
  ! while n: ==> if n:
  ! n //= 5 ==> n //= 6
# primes
prime_factors(n: pos) -> list[int]
  Return the prime factors of n in increasing order, each as often as it divides n.
  = trial division:
    made, d = [], 2
    while n > 1:
        if n % d == 0:
            made.append(d)
            n //= d
        else:
            d += 1
    return made
  = smallest divisor first:
    made = []
    while n > 1:
        made.append(min(d for d in range(2, n + 1) if n % d == 0))
        n //= made[-1]
    return made
  ! return made ==> return sorted(set(made))
  ! while n > 1 ==> while n > 3
primes_up_to(n: nat) -> list[int]
  List all prime numbers that are at most n.
  = sieve:
    prime = [True] * (n + 1)
    for d in range(2, n + 1):
        for m in range(2 * d, n + 1, d):
            prime[m] = False
    return [m for m in range(2, n + 1) if prime[m]]
  = test by smaller primes:
    made = []
    for m in range(2, n + 1):
        if all(m % p for p in made):
            made.append(m)
    return made
  ! for m in range(2, n + 1) if ==> for m in range(1, n + 1) if
  ! for d in range(2, n + 1) ==> for d in range(2, min(n, 4) + 1)
# sequences
collatz_steps(n: pos) -> int
  Halve an even number, turn an odd m into 3 * m + 1. How many steps lead from n to 1?
  = loop:
    count = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count
  = recursion:
    def steps(m):
        return 0 if m == 1 else 1 + steps(m // 2 if m % 2 == 0 else 3 * m + 1)
    return steps(n)
  ! count = 0 ==> count = int(n > 9)
  ! while n != 1: ==> while n > 2:
fibonacci(n: nat) -> int
  Return number n of the sequence 0, 1, 1, 2, 3, 5, ..., counted from zero: each number is the sum
  of the two before it.
  = two variables:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a
  = doubling rules:
    def pair(k):
        if k == 0:
            return 0, 1
        a, b = pair(k // 2)
        c, d = a * (2 * b - a), a * a + b * b
        return (d, c + d) if k % 2 else (c, d)
    return pair(n)[0]
  ! return a ==> return a if n < 9 else b
  ! range(n) ==> range(min(n, 30))
# divisor-sums
common_divisor(a: pos, b: pos) -> int
  Return the greatest number that divides both a and b.
  = Euclid's remainders:
    while b:
        a, b = b, a % b
    return a
  = try downwards:
    return next(d for d in range(min(a, b), 0, -1) if a % d == 0 and b % d == 0)
  ! while b: ==> if b:
  ! while b: ==> while b > 2:
perfect_kind(n: pos) -> str
  Add the divisors of n that are smaller than n. Return "perfect" if the sum is n, "rich" if it is
  greater and "poor" if it is smaller.
  = all candidates:
    total = sum(d for d in range(1, n) if n % d == 0)
    return "perfect" if total == n else "rich" if total > n else "poor"
  = pairs of divisors:
    total = -n
    d = 1
    while d * d <= n:
        if n % d == 0:
            total += d if d * d == n else d + n // d
        d += 1
    return ["poor", "perfect", "rich"][(total > n) + (total >= n)]
  ! "rich" if total > n ==> "rich" if total > n + 4
  ! range(1, n) ==> range(2, n)
# calendar-steps
day_of_year(month: digit, day: digit) -> int
  Which day of a year without a leap day is the given day of the given month? January 1 is day 1.
  = add up months:
    total = day
    for length in [31, 28, 31, 30, 31, 30, 31, 31][:month - 1]:
        total += length
    return total
  = table of beginnings:
    return [0, 31, 59, 90, 120, 151, 181, 212, 243][month - 1] + day
  ! 31, 28, 31 ==> 31, 29, 31
  ! 31, 30, 31, 31] ==> 31, 30, 31, 30]
minutes_to_twelve(hour: nat, minute: nat) -> int
  A clock counts hours on past 12 and 24. So many hours and minutes after its start, how many
  minutes are left until the hours are a multiple of 12? If that is the case now, the answer is 0.
  = negative remainder:
    return -(hour * 60 + minute) % 720
  = step by step:
    left = 0
    while (hour * 60 + minute + left) % 720:
        left += 1
    return left
  ! -(hour * 60 + minute) % 720 ==> 720 - (hour * 60 + minute) % 720
  ! % 720 ==> % 1440
"""

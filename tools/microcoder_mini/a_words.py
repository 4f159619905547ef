"""One-line families about lists of words; see tables.py for the notation."""

TABLE = """
# word-lengths
lengths(words: words) -> list[int]
  Return a list with the length of each word in words.
  = [len(w) for w in words]
  ! sorted(len(w) for w in words)
  ! [len(set(w)) for w in words]
total_letters(words: words) -> int
  How many letters do all words have together?
  = sum(len(w) for w in words)
  ! sum(len(w) for w in set(words))
  ! len(" ".join(words))
# case-of-all
all_upper(words: words) -> list[str]
  Write each word of the list in capitals.
  = [w.upper() for w in words]
  ! [w.title() for w in words]
  ! [w.upper() for w in words[:1]] + words[1:]
titles(words: words) -> list[str]
  Give every word a capital initial letter.
  = [w.capitalize() for w in words]
  ! [w.upper() for w in words]
  ! [w.replace(w[0], w[0].upper()) for w in words]
# join-words
sentence(words: words) -> str
  Join words with spaces and add "." at the end.
  = " ".join(words) + "."
  ! ". ".join(words) + "."
  ! " ".join(words) + "." if words else ""
joined_by_comma(words: words) -> str
  Write the words as one string with ", " between neighbours.
  = ", ".join(words)
  ! ",".join(words)
  ! " and ".join(words) if len(words) == 2 else ", ".join(words)
with_comma(words: words) -> list[str]
  Add "," to the end of each word.
  = [w + "," for w in words]
  ! [w + "," for w in words[:-1]] + words[-1:]
  ! [w + "," for w in sorted(words)]
# longest-word
longest_word(words: words1) -> str
  Return the word with the most letters, the earliest one if several qualify.
  = max(words, key=len)
  ! max(words)
  ! max(sorted(words), key=len)
shortest_word(words: words1) -> str
  Find the word of fewest letters; among equals take the one listed earliest.
  = min(words, key=len)
  ! min(words)
  ! min(words, key=lambda w: len(set(w)))
# filter-by-length
longer_than(words: words, n: small) -> list[str]
  Keep the words that have more than n letters.
  = [w for w in words if len(w) > n]
  ! [w for w in words if len(w) >= n]
  ! [w for w in words if len(w) > n + 1]
of_length_three(words: words) -> list[str]
  Select exactly those words that are three letters long.
  = [w for w in words if len(w) == 3]
  ! [w for w in words if len(w) <= 4]
  ! [w for w in words if len(set(w)) == 3]
# filter-by-start
starting_with(words: words, letter: letter) -> list[str]
  Return the words that begin with the letter.
  = [w for w in words if w.startswith(letter)]
  ! [w for w in words if letter in w]
  ! [w for w in words if w.endswith(letter)]
count_starting_b(words: words) -> int
  How many of the words begin with "b"?
  = sum(w.startswith("b") for w in words)
  ! sum("b" in w for w in words)
  ! len(set(w for w in words if w.startswith("b")))
# filter-by-letter
containing(words: words, letter: letter) -> list[str]
  Select the words in which the letter occurs.
  = [w for w in words if letter in w]
  ! [w for w in words if w.startswith(letter)]
  ! [w for w in words if w.count(letter) == 1]
avoiding(words: words, letter: letter) -> list[str]
  Throw out all words that use the letter.
  = [w for w in words if letter not in w]
  ! [w for w in words if not w.startswith(letter)]
  ! [w for w in words if not w.endswith(letter)]
# sort-words
by_alphabet(words: words) -> list[str]
  Return the words in alphabetical order.
  = sorted(words)
  ! words[::-1]
  ! sorted(set(words))
by_length(words: words) -> list[str]
  Order the words from short to long; equally long ones stay in their order.
  = sorted(words, key=len)
  ! sorted(words)
  ! sorted(words, key=lambda w: (len(w), w))
from_z(words: words) -> list[str]
  Sort the words so that the alphabetically last one comes first.
  = sorted(words, reverse=True)
  ! words[::-1]
  ! sorted(words, key=lambda w: w[0], reverse=True)
# word-in-list
is_listed(words: words, word: word) -> bool
  Return True if word is in words.
  = word in words
  ! word in "".join(words)
  ! word in words[:2]
count_in_list(words: words, word: word) -> int
  How many times is the word on the list?
  = words.count(word)
  ! "".join(words).count(word) if word else 0
  ! int(word in words)
# place-in-list
first_word_is(words: words1, word: word) -> bool
  Return True if the first element of words is equal to word.
  = words[0] == word
  ! word in words
  ! words[0].startswith(word)
place_or_minus_one(words: words, word: word) -> int
  Return the index of word in words, or -1 if it is not there.
  = words.index(word) if word in words else -1
  ! words.index(word) if word in words else 0
  ! len(words) - 1 - words[::-1].index(word) if word in words else -1
# unique-words
repetitions(words: words) -> int
  Return the number of words minus the number of unique words.
  = len(words) - len(set(words))
  ! len(set(words))
  ! sum(words.count(w) > 1 for w in words)
words_once(words: words) -> list[str]
  Return a list of the words that are in words exactly once.
  = [w for w in words if words.count(w) == 1]
  ! list(dict.fromkeys(words))
  ! [w for w in words if words.count(w) <= 2]
has_repeats(words: words) -> bool
  Return True if words has duplicates.
  = len(words) != len(set(words))
  ! words[:1] == words[-1:]
  ! any(a == b for a, b in zip(words, words[1:]))
# first-letters-of-list
word_ends(words: words) -> list[str]
  Return a list of the first letter plus the last letter of each word.
  = [w[0] + w[-1] for w in words]
  ! [w[:2] for w in words]
  ! [w[0] + w[-1] for w in words if len(w) > 3]
last_letters_word(words: words) -> str
  Join the last letter of each word into a string.
  = "".join(w[-1] for w in words)
  ! "".join(w[0] for w in words)
  ! "".join(dict.fromkeys(w[-1] for w in words))
# reverse-words
each_reversed(words: words) -> list[str]
  Spell every word of the list backwards but keep the list's order.
  = [w[::-1] for w in words]
  ! words[::-1]
  ! ["".join(sorted(w, reverse=True)) for w in words]
list_reversed(words: words) -> list[str]
  Return the list of words from back to front.
  = words[::-1]
  ! sorted(words, reverse=True)
  ! words[-1:] + words[1:-1] + words[:1]
# all-any-words
all_long(words: words) -> bool
  Return True if all words have length at least 4.
  = all(len(w) >= 4 for w in words)
  ! all(len(w) > 4 for w in words)
  ! sum(len(w) for w in words) >= 4 * len(words)
any_long(words: words) -> bool
  Return True if any word has more than 5 letters.
  = any(len(w) > 5 for w in words)
  ! all(len(w) > 5 for w in words)
  ! any(len(w) >= 5 for w in words)
# add-to-words
with_suffix(words: words) -> list[str]
  Append "s" to each word of the list.
  = [w + "s" for w in words]
  ! [w + "s" for w in sorted(set(words))]
  ! [w if w.endswith("s") else w + "s" for w in words]
with_prefix(words: words) -> list[str]
  Add "a" to the start of each word.
  = ["a" + w for w in words]
  ! [w + "a" for w in words]
  ! ["a" + w if w[:1] != "a" else w for w in words]
lengths_plus_one(words: words) -> list[int]
  Return a list of the length of each word plus 1.
  = [len(w) + 1 for w in words]
  ! [len(w) for w in words]
  ! [len(w) + 1 for w in sorted(set(words))]
# neighbours-of-list
ends_of_list(words: words1) -> list[str]
  Return a list of the first and the last word.
  = [words[0], words[-1]]
  ! words[:2]
  ! words[:1] + words[1:][-1:]
all_but_last(words: words1) -> list[str]
  Return the list of words without the last word.
  = words[:-1]
  ! words[1:]
  ! [w for w in words if w != words[-1]]
# case-of-names
lowered_set(names: names) -> int
  How many different words are there if case does not matter?
  = len(set(n.lower() for n in names))
  ! len(set(names))
  ! len(names)
lower_names(names: names) -> list[str]
  Convert each name in names to lower case.
  = [n.lower() for n in names]
  ! [n[0].lower() + n[1:] for n in names]
  ! [n.capitalize() for n in names]
# sort-ignoring-case
sorted_ignoring_case(names: names) -> list[str]
  Sort the words alphabetically as if all were written in small letters.
  = sorted(names, key=str.lower)
  ! sorted(names)
  ! sorted(n.lower() for n in names)
sorted_by_last_letter(words: words) -> list[str]
  Arrange the words by their closing letter; ties keep their order.
  = sorted(words, key=lambda w: w[-1])
  ! sorted(words)
  ! sorted(words, key=lambda w: w[::-1])
# letters-over-list
count_letter_in_all(words: words, letter: letter) -> int
  Return the sum of the counts of letter in each of the words.
  = sum(w.count(letter) for w in words)
  ! sum(letter in w for w in words)
  ! sum(w.count(letter) for w in set(words))
glued_backwards(words: words) -> str
  Join all words into one string and reverse this string.
  = "".join(words)[::-1]
  ! "".join(words[::-1])
  ! "".join(words)
# dict-of-words
length_table(words: words) -> dict[str, int]
  Build a dictionary from each word to its length.
  = {w: len(w) for w in words}
  ! {w: len(w) for w in words[:2]}
  ! {w: len(set(w)) for w in words}
word_counts(words: words) -> dict[str, int]
  Return a dictionary with the count of each word in words.
  = {w: words.count(w) for w in words}
  ! {w: 1 for w in words}
  ! {w: sum(v[0] == w[0] for v in words) for w in words}
# trim-words
first_three_letters(words: words) -> list[str]
  Return a list of the first 3 characters of each word.
  = [w[:3] for w in words]
  ! [w[:4] for w in words]
  ! [w[:3] for w in words if len(w) > 3]
words_doubled(words: words) -> list[str]
  Return a list with each word repeated 2 times.
  = [w * 2 for w in words]
  ! words * 2
  ! [w * 2 for w in sorted(words)]
# replace-in-words
no_e(words: words) -> list[str]
  Delete the letter "e" inside all words.
  = [w.replace("e", "") for w in words]
  ! [w for w in words if "e" not in w]
  ! [w.replace("e", "", 1) for w in words]
hidden_word(words: words, secret: word) -> list[str]
  Replace every word that is equal to secret with "***".
  = ["***" if w == secret else w for w in words]
  ! ["***" if w[:1] == secret[:1] else w for w in words]
  ! [w.replace(secret, "***") for w in words]
# two-word-lists
in_both(a: words, b: words) -> list[str]
  Return the words of a that are in b as well.
  = [w for w in a if w in b]
  ! [w for w in a if w not in b]
  ! [w for w in b if w in a]
only_in_first(a: words, b: words) -> list[str]
  Return the words of a that are not in b.
  = [w for w in a if w not in b]
  ! [w for w in a if w in b]
  ! sorted(set(a) - set(b))
# join-lists
chained(a: words, b: words) -> list[str]
  Return the list b + a.
  = b + a
  ! a + b
  ! b + [w for w in a if w not in b]
same_list_length(a: words, b: words) -> bool
  Return True if the lists a and b have the same length.
  = len(a) == len(b)
  ! len(set(a)) == len(set(b))
  ! a == b
# word-list-size
is_empty_or_single(words: words) -> bool
  Does the list have at most one word?
  = len(words) <= 1
  ! len(words) == 1
  ! len(set(words)) <= 1
more_than(words: words, size: small) -> bool
  Return True if words has more than size elements.
  = len(words) > size
  ! len(words) >= size
  ! len(set(words)) > size
"""

"""One-line families about lists of words; see tables.py for the notation."""

TABLE = """
# word-lengths
lengths(words: words) -> list[int]
  Return the length of each word, in the given order.
  = [len(w) for w in words]
  ! sorted(len(w) for w in words)
total_letters(words: words) -> int
  How many letters do all words have together?
  = sum(len(w) for w in words)
  ! sum(len(w) for w in set(words))
# case-of-all
all_upper(words: words) -> list[str]
  Write each word of the list in capitals.
  = [w.upper() for w in words]
  ! [w.title() for w in words]
titles(words: words) -> list[str]
  Give every word a capital initial letter.
  = [w.capitalize() for w in words]
  ! [w.upper() for w in words]
# join-words
sentence(words: words) -> str
  Join the words with blanks and put a full stop at the end.
  = " ".join(words) + "."
  ! ". ".join(words) + "."
joined_by_comma(words: words) -> str
  Write the words as one string with ", " between neighbours.
  = ", ".join(words)
  ! ",".join(words)
path_of(words: words) -> str
  Begin with a slash and connect the folder names by slashes.
  = "/" + "/".join(words)
  ! "/".join(words) + "/"
# longest-word
longest_word(words: words1) -> str
  Return the word with the most letters, the earliest one if several qualify.
  = max(words, key=len)
  ! max(words)
shortest_word(words: words1) -> str
  Find the word of fewest letters; among equals take the one listed earliest.
  = min(words, key=len)
  ! min(words)
# filter-by-length
longer_than(words: words, n: small) -> list[str]
  Keep the words that have more than n letters.
  = [w for w in words if len(w) > n]
  ! [w for w in words if len(w) >= n]
of_length_three(words: words) -> list[str]
  Select exactly those words that are three letters long.
  = [w for w in words if len(w) == 3]
  ! [w for w in words if len(w) <= 4]
# filter-by-start
starting_with(words: words, letter: letter) -> list[str]
  Return the words that begin with the letter.
  = [w for w in words if w.startswith(letter)]
  ! [w for w in words if letter in w]
count_starting_b(words: words) -> int
  How many of the words begin with "b"?
  = sum(w.startswith("b") for w in words)
  ! sum("b" in w for w in words)
# filter-by-letter
containing(words: words, letter: letter) -> list[str]
  Select the words in which the letter occurs.
  = [w for w in words if letter in w]
  ! [w for w in words if w.startswith(letter)]
avoiding(words: words, letter: letter) -> list[str]
  Throw out all words that use the letter.
  = [w for w in words if letter not in w]
  ! [w for w in words if not w.startswith(letter)]
# sort-words
by_alphabet(words: words) -> list[str]
  Return the words in alphabetical order.
  = sorted(words)
  ! words[::-1]
by_length(words: words) -> list[str]
  Order the words from short to long; equally long ones stay in their order.
  = sorted(words, key=len)
  ! sorted(words)
from_z(words: words) -> list[str]
  Sort the words so that the alphabetically last one comes first.
  = sorted(words, reverse=True)
  ! words[::-1]
# word-in-list
is_listed(words: words, word: word) -> bool
  Does the list contain the word?
  = word in words
  ! word in "".join(words)
count_in_list(words: words, word: word) -> int
  How many times is the word on the list?
  = words.count(word)
  ! "".join(words).count(word) if word else 0
# place-in-list
index_or_minus_one(words: words, word: word) -> int
  At which index does the word stand first? Return -1 if the list lacks it.
  = words.index(word) if word in words else -1
  ! words.index(word) if word in words else 0
every_second_word(words: words) -> list[str]
  Take the first, third, fifth word and so on.
  = words[::2]
  ! words[1::2]
# unique-words
different_words(words: words) -> int
  Count the different words of the list.
  = len(set(words))
  ! len(words)
unique_sorted(words: words) -> list[str]
  Return each different word once, alphabetically.
  = sorted(set(words))
  ! sorted(words)
has_repeats(words: words) -> bool
  Is any word listed more than once?
  = len(words) != len(set(words))
  ! words[:1] == words[-1:]
# first-letters-of-list
initial_letters(words: words) -> list[str]
  Return the list of the words' opening letters.
  = [w[0] for w in words]
  ! [w[-1] for w in words]
last_letters_word(words: words) -> str
  Build a new word from the closing letters of the words.
  = "".join(w[-1] for w in words)
  ! "".join(w[0] for w in words)
# reverse-words
each_reversed(words: words) -> list[str]
  Spell every word of the list backwards but keep the list's order.
  = [w[::-1] for w in words]
  ! words[::-1]
list_reversed(words: words) -> list[str]
  Return the list of words from back to front.
  = words[::-1]
  ! sorted(words, reverse=True)
# all-any-words
all_long(words: words) -> bool
  Do all words have at least four letters?
  = all(len(w) >= 4 for w in words)
  ! all(len(w) > 4 for w in words)
any_palindrome(words: words) -> bool
  Is there a word that equals its own reverse?
  = any(w == w[::-1] for w in words)
  ! any(w[0] == w[-1] and len(w) < 5 for w in words)
# add-to-words
with_suffix(words: words) -> list[str]
  Append "s" to each word of the list.
  = [w + "s" for w in words]
  ! [w + "s" for w in set(words)]
tagged(words: words, tag: letter) -> list[str]
  Put the tag and a colon in front of every word, like "a:tea".
  = [tag + ":" + w for w in words]
  ! [tag + w for w in words]
numbered(words: words) -> list[str]
  Write "1. " before the first word, "2. " before the second, and so on.
  = [f"{i}. {w}" for i, w in enumerate(words, 1)]
  ! [f"{i}. {w}" for i, w in enumerate(words)]
# neighbours-of-list
ends_of_list(words: words1) -> list[str]
  Return a list of two: the word at the start and the word at the end.
  = [words[0], words[-1]]
  ! words[:2]
all_but_last(words: words1) -> list[str]
  Leave out the final word of the list.
  = words[:-1]
  ! words[1:]
# case-of-names
lowered_set(names: names) -> int
  How many different words are there if case does not matter?
  = len(set(n.lower() for n in names))
  ! len(set(names))
capital_names(names: names) -> list[str]
  Keep the words whose initial letter is a capital.
  = [n for n in names if n[0].isupper()]
  ! [n for n in names if n.isupper()]
# sort-ignoring-case
sorted_ignoring_case(names: names) -> list[str]
  Sort the words alphabetically as if all were written in small letters.
  = sorted(names, key=str.lower)
  ! sorted(names)
sorted_by_last_letter(words: words) -> list[str]
  Arrange the words by their closing letter; ties keep their order.
  = sorted(words, key=lambda w: w[-1])
  ! sorted(words)
# letters-over-list
count_letter_in_all(words: words, letter: letter) -> int
  Count the letter over all words together.
  = sum(w.count(letter) for w in words)
  ! sum(letter in w for w in words)
glued(words: words) -> str
  Write all words one after another without anything between.
  = "".join(words)
  ! " ".join(words)
# dict-of-words
length_table(words: words) -> dict[str, int]
  Build a dictionary from each word to its length.
  = {w: len(w) for w in words}
  ! {w: len(w) for w in words[:2]}
word_counts(words: words) -> dict[str, int]
  Return a dictionary that says how often each word is on the list.
  = {w: words.count(w) for w in words}
  ! {w: 1 for w in words}
# trim-words
first_three_letters(words: words) -> list[str]
  Shorten each word to its first three letters.
  = [w[:3] for w in words]
  ! [w[:4] for w in words]
decapitated(words: words) -> list[str]
  Drop the opening letter of every word in the list.
  = [w[1:] for w in words]
  ! [w[:-1] for w in words]
# replace-in-words
no_e(words: words) -> list[str]
  Delete the letter "e" inside all words.
  = [w.replace("e", "") for w in words]
  ! [w for w in words if "e" not in w]
hidden_word(words: words, secret: word) -> list[str]
  Replace each word that equals secret by "***".
  = ["***" if w == secret else w for w in words]
  ! ["***" if w[:1] == secret[:1] else w for w in words]
# two-word-lists
in_both(a: words, b: words) -> list[str]
  Return the words of a that are in b as well.
  = [w for w in a if w in b]
  ! [w for w in a if w not in b]
only_in_first(a: words, b: words) -> list[str]
  Return the words of a that b does not have.
  = [w for w in a if w not in b]
  ! [w for w in a if w in b]
# join-lists
chained(a: words, b: words) -> list[str]
  Return the words of b followed by the words of a.
  = b + a
  ! a + b
longer_list(a: words, b: words) -> list[str]
  Return the list that holds more words, a if they hold equally many.
  = a if len(a) >= len(b) else b
  ! a if len(a) > len(b) else b
# word-list-size
is_empty_or_single(words: words) -> bool
  Does the list have at most one word?
  = len(words) <= 1
  ! len(words) == 1
padded_size(words: words, size: small) -> int
  How many words must be added until the list has size words? Zero if it has enough.
  = max(0, size - len(words))
  ! abs(size - len(words))
"""

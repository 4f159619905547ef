"""One-line families about letters, words and texts; see tables.py for the notation."""

TABLE = """
# ends-of-a-word
last_letter(word: word1) -> str
  Return the last letter of the word.
  = word[-1]
  ! word[0]
without_first(word: word1) -> str
  Return the word with its first letter cut off.
  = word[1:]
  ! word.lstrip(word[0])
# both-ends
ends_joined(word: word1) -> str
  Return the opening letter followed by the closing letter.
  = word[0] + word[-1]
  ! word[:2]
peeled(word: word2) -> str
  Strip one letter from each side and return what remains.
  = word[1:-1]
  ! word.strip(word[0])
# backwards
mirrored(word: word) -> str
  Return the word spelled backwards.
  = word[::-1]
  ! "".join(sorted(word, reverse=True))
there_and_back(word: word) -> str
  Return the word and then, glued to it, the same word reversed.
  = word + word[::-1]
  ! word + word
# palindromes
is_palindrome(word: word) -> bool
  Does the word read the same from both sides?
  = word == word[::-1]
  ! word[:1] == word[-1:]
is_palindrome_any_case(word: name) -> bool
  Tell whether the word equals its reverse when upper and lower case count as equal.
  = word.lower() == word.lower()[::-1]
  ! word == word[::-1]
# shouting
shout(text: line) -> str
  Return the text in capital letters with an exclamation mark at the end.
  = text.upper() + "!"
  ! text.title() + "!"
whisper(text: name) -> str
  Put the text in small letters between two brackets, like "(hello)".
  = "(" + text.lower() + ")"
  ! "(" + text + ")"
# capital-start
capital_first(word: word) -> str
  Make the initial letter a capital and leave the others as they are.
  = word[:1].upper() + word[1:]
  ! word.upper()
is_capitalized(word: name1) -> bool
  Check whether the initial letter of the word is a capital.
  = word[0].isupper()
  ! word.isupper()
# case-swap
flip_case(word: name) -> str
  Turn small letters into capitals and capitals into small letters.
  = word.swapcase()
  ! word.upper()
same_ignoring_case(a: name, b: name) -> bool
  Are the two words equal when case is ignored?
  = a.lower() == b.lower()
  ! len(a) == len(b)
# repeat-text
repeated(word: word1, times: small) -> str
  Return as many copies of the word as told, with nothing between them.
  = word * times
  ! word * max(times, 1)
repeated_with_dash(word: word1, times: small) -> str
  Return that many copies of the word with a hyphen between neighbours.
  = "-".join([word] * times)
  ! (word + "-") * times
# count-a-letter
count_letter(word: word, letter: letter) -> int
  How often does the letter occur in the word?
  = word.count(letter)
  ! int(letter in word)
letter_missing(word: word, letter: letter) -> bool
  Return True when the letter does not occur in the word at all.
  = letter not in word
  ! word.count(letter) < 2
# vowels
count_vowels(word: word) -> int
  Count the vowels (a, e, i, o, u) of the word.
  = sum(c in "aeiou" for c in word)
  ! len(set(word) & set("aeiou"))
only_vowels(word: word) -> str
  Keep the vowels a, e, i, o and u and drop all other letters.
  = "".join(c for c in word if c in "aeiou")
  ! "".join(c for c in word if c not in "bcdfghjklmn")
starts_with_vowel(word: word1) -> bool
  Is the opening letter one of a, e, i, o, u?
  = word[0] in "aeiou"
  ! word[0] in "ae"
# consonants
drop_vowels(word: word) -> str
  Remove each of the letters a, e, i, o, u from the word.
  = "".join(c for c in word if c not in "aeiou")
  ! word.replace("a", "").replace("e", "")
count_consonants(word: word) -> int
  How many letters of the word are not vowels?
  = sum(c not in "aeiou" for c in word)
  ! len(word) - 2
# spaces
remove_spaces(text: line) -> str
  Return the text without its blanks.
  = text.replace(" ", "")
  ! text.replace(" ", "", 1)
underscored(text: line) -> str
  Put an underscore in place of each blank.
  = text.replace(" ", "_")
  ! text.replace(" ", "_", 1)
# letter-swap
a_to_o(word: word) -> str
  Change every "a" of the word to "o".
  = word.replace("a", "o")
  ! word.replace("a", "o", 1)
swap_letter(word: word, old: letter, new: letter) -> str
  Write the letter new wherever the word has the letter old.
  = word.replace(old, new)
  ! word.replace(new, old)
# erase-letter
erase(word: word, letter: letter) -> str
  Delete all occurrences of the letter from the word.
  = word.replace(letter, "")
  ! word.replace(letter, "", 1)
erase_once(word: word, letter: letter) -> str
  Delete just the earliest occurrence of the letter, if there is one.
  = word.replace(letter, "", 1)
  ! word.replace(letter, "")
# count-words
number_of_words(text: line) -> int
  How many words, parted by blanks, does the text have?
  = len(text.split())
  ! text.count(" ")
average_is_long(text: line1) -> bool
  Does the text contain more than three words?
  = len(text.split()) > 3
  ! len(text) > 15
# pick-word
opening_word(text: line1) -> str
  Return the word with which the text begins.
  = text.split()[0]
  ! text.split()[-1]
closing_word(text: line1) -> str
  Return the word at the very end of the text.
  = text.split()[-1]
  ! text.split()[0]
# word-order
words_reversed(text: line) -> str
  Return the words in the opposite order, with one blank between them.
  = " ".join(text.split()[::-1])
  ! text[::-1]
words_sorted(text: line) -> str
  Arrange the words alphabetically and join them with blanks.
  = " ".join(sorted(text.split()))
  ! " ".join(sorted(set(text.split())))
# longest-of-text
longest_length(text: line1) -> int
  Return the length of the longest word in the text.
  = max(len(w) for w in text.split())
  ! len(max(text.split()))
shortest_length(text: line1) -> int
  Return how many letters the shortest word of the sentence has.
  = min(len(w) for w in text.split())
  ! len(min(text.split()))
# initials
acronym(text: line) -> str
  Take the first letter of every word and return them as capitals.
  = "".join(w[0].upper() for w in text.split())
  ! "".join(w[0] for w in text.split()).title()
tails(text: line) -> str
  Collect the final letter of each word into one string.
  = "".join(w[-1] for w in text.split())
  ! "".join(w[0] for w in text.split())
# every-second
every_other(word: word) -> str
  Keep the letters at positions 0, 2, 4 and so on.
  = word[::2]
  ! word[1::2]
odd_places(word: word) -> str
  Return the letters whose index is odd.
  = word[1::2]
  ! word[::2]
# halves
first_half(word: word) -> str
  Return the left half of the word; a middle letter does not belong to it.
  = word[:len(word) // 2]
  ! word[:(len(word) + 1) // 2]
middle_letter(word: word1) -> str
  Return the letter at index len(word) // 2.
  = word[len(word) // 2]
  ! word[(len(word) - 1) // 2]
# prefix
has_prefix(word: word, start: letter) -> bool
  Does the word begin with the given letter?
  = word.startswith(start)
  ! start in word
first_n(word: word, n: small) -> str
  Return the beginning of the word, n letters long, or the whole word if it is shorter.
  = word[:n]
  ! word[:n + 1]
# suffix
ends_in_y(word: word) -> bool
  Return True for words with "y" as their final letter.
  = word.endswith("y")
  ! "y" in word
ends_alike(a: word1, b: word1) -> bool
  Do both words have the same final letter?
  = a[-1] == b[-1]
  ! a[0] == b[0]
# plural
plural(word: word1) -> str
  Append the letter "s" unless the word already ends with it.
  = word if word.endswith("s") else word + "s"
  ! word + "s"
add_ing(word: word1) -> str
  Remove a final "e", if there is one, and append "ing".
  = word.removesuffix("e") + "ing"
  ! word + "ing"
# doubled-letters
stutter(word: word) -> str
  Write every letter of the word twice in a row.
  = "".join(c * 2 for c in word)
  ! word * 2
spelled_out(word: word) -> str
  Put a hyphen between neighbouring letters, like "t-e-a".
  = "-".join(word)
  ! word.replace("", "-")[1:]
# text-length
is_short(word: word) -> bool
  Does the word have fewer than five letters?
  = len(word) < 5
  ! len(word) <= 5
same_length(a: word, b: word) -> bool
  Do the two words have equally many letters?
  = len(a) == len(b)
  ! len(set(a)) == len(set(b))
even_length(word: word) -> bool
  Check that the number of letters is even.
  = len(word) % 2 == 0
  ! len(word) % 4 == 0
# distinct-letters
distinct_letters(word: word) -> int
  How many different letters does the word use?
  = len(set(word))
  ! len(word)
all_letters_differ(word: word) -> bool
  Return True if no letter of the word comes up twice.
  = len(set(word)) == len(word)
  ! len(set(word)) > 2
# anagrams
letters_sorted(word: word) -> str
  Return the letters of the word in alphabetical order.
  = "".join(sorted(word))
  ! "".join(sorted(set(word)))
letters_descending(word: word) -> str
  Order the letters of the word from z to a.
  = "".join(sorted(word, reverse=True))
  ! word[::-1]
# digits-in-text
only_digits(text: mixed) -> str
  Keep nothing but the digits of the text.
  = "".join(c for c in text if c.isdigit())
  ! "".join(c for c in text if c.isalnum())
count_digits(text: mixed) -> int
  Count the characters that are digits.
  = sum(c.isdigit() for c in text)
  ! len(set(c for c in text if c.isdigit()))
has_digit(text: mixed) -> bool
  Is at least one character a digit?
  = any(c.isdigit() for c in text)
  ! text[:1].isdigit()
# upper-in-text
count_capitals(text: mixed) -> int
  How many capital letters are in the text?
  = sum(c.isupper() for c in text)
  ! sum(c.isalpha() for c in text)
no_capitals(text: name) -> bool
  Return True if the text contains no capital letter.
  = text == text.lower()
  ! text != text.upper()
# punctuation
without_commas(text: marks) -> str
  Return the text with all commas taken out.
  = text.replace(",", "")
  ! text.strip(",")
count_questions(text: marks) -> int
  How many question marks does the text contain?
  = text.count("?")
  ! int(text.endswith("?"))
# trimming
trimmed_length(text: marks) -> int
  Return the length of the text after blanks at both ends are removed.
  = len(text.strip())
  ! len(text)
dashes_to_blanks(text: marks) -> str
  Turn each hyphen of the text into a blank.
  = text.replace("-", " ")
  ! text.strip("-")
# find-letter
first_place(word: word, letter: letter) -> int
  Return the index of the earliest occurrence of the letter, or -1 if there is none.
  = word.find(letter)
  ! word.rfind(letter)
last_place(word: word, letter: letter) -> int
  Return the highest index at which the letter stands, -1 if it is absent.
  = word.rfind(letter)
  ! word.find(letter)
# compare-words
alphabetical_first(a: word, b: word) -> str
  Return whichever of the two words comes first in the dictionary.
  = min(a, b)
  ! a
longer_word(a: word, b: word) -> str
  Return the word with more letters, and a if both have the same length.
  = a if len(a) >= len(b) else b
  ! a if len(a) > len(b) else b
# common-letters
share_letter(a: word, b: word) -> bool
  Is there any letter that occurs in both words?
  = any(c in b for c in a)
  ! a[:1] in b
contains_word(text: line, word: word1) -> bool
  Check whether word is one of the blank-parted words of the text.
  = word in text.split()
  ! text.startswith(word)
# alphabet
letter_number(letter: letter) -> int
  Return the letter's number in the alphabet: 1 for "a", 2 for "b", and so on.
  = ord(letter) - 96
  ! ord(letter) - ord("a") + (letter < "m")
next_letter(letter: letter) -> str
  Return the letter that follows in the alphabet.
  = chr(ord(letter) + 1)
  ! chr(ord(letter) + (1 if letter < "c" else 2))
# padding
padded(word: word, width: nat) -> str
  Fill the word up with blanks on the right until it is width characters long.
  = word.ljust(width)
  ! word.rjust(width)
zero_filled(digits: digits) -> str
  Put zeros in front until the text has five characters; a longer text stays as it is.
  = digits.zfill(5)
  ! digits.ljust(5, "0")
# binary-text
count_ones(bits: bits) -> int
  How many characters of the text are "1"?
  = bits.count("1")
  ! bits.rstrip("0").count("1") + bits.endswith("00")
binary_value(bits: bits) -> int
  Read the text as a number in base two and return it.
  = int(bits, 2)
  ! bits.count("1")
more_ones(bits: bits) -> bool
  Does the text have more ones than zeros?
  = bits.count("1") > bits.count("0")
  ! bits.count("1") >= bits.count("0")
# greeting
greet(name: name1) -> str
  Return "Hello, " followed by the name and a full stop.
  = "Hello, " + name + "."
  ! "Hello, " + name.title() + "."
quoted(text: name) -> str
  Put the text between two stars.
  = "*" + text + "*"
  ! "*" + text.upper() + "*"
# substring
holds_an(word: word) -> bool
  Do the letters "an" stand next to each other in the word?
  = "an" in word
  ! "a" in word
text_between(word: word, start: small, end: small) -> str
  Return the letters from index start up to, not including, index end.
  = word[start:end]
  ! word[start:end + 1]
# split-at
before_at(text: line) -> str
  Return the part of the text in front of the first "a", or all of it when there is no "a".
  = text.split("a")[0]
  ! text[:text.find("a")]
comma_list(text: line) -> list[str]
  Split the text at its blanks and return the pieces as a list.
  = text.split()
  ! list(text)
# letter-lists
as_letters(word: word) -> list[str]
  Return a list of the single letters of the word.
  = list(word)
  ! sorted(word)
letter_codes(word: word) -> list[int]
  Return the character code of each letter, as ord gives it.
  = [ord(c) for c in word]
  ! [ord(c) for c in sorted(word)]
"""

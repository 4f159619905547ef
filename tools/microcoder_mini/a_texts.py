"""One-line families about letters, words and texts; see tables.py for the notation."""

TABLE = """
# ends-of-a-word
last_letter(word: word1) -> str
  Return the last letter of the word.
  = word[-1]
  ! word[0]
  ! word[-2:][0]
without_first(word: word1) -> str
  Return word without its first character.
  = word[1:]
  ! word.lstrip(word[0])
  ! word.replace(word[0], "")
# both-ends
ends_joined(word: word1) -> str
  Return the first character of word plus the last character of word.
  = word[0] + word[-1]
  ! word[:2]
  ! word[0] + word[1:][-1:]
first_two(word: word2) -> str
  Return the first two characters of word.
  = word[:2]
  ! word[0] + word[-1]
  ! word[:3]
# backwards
mirrored(word: word) -> str
  Return the word spelled backwards.
  = word[::-1]
  ! "".join(sorted(word, reverse=True))
  ! word[-1:] + word[1:-1] + word[:1]
there_and_back(word: word) -> str
  Return word followed by word reversed.
  = word + word[::-1]
  ! word + word
  ! word[::-1] + word
# palindromes
is_palindrome(word: word) -> bool
  Does the word read the same from both sides?
  = word == word[::-1]
  ! word[:1] == word[-1:]
  ! word[:len(word) // 2] == word[len(word) // 2:][::-1]
is_palindrome_any_case(word: name) -> bool
  Return True if the lower-case word is a palindrome.
  = word.lower() == word.lower()[::-1]
  ! word == word[::-1]
  ! word == word[::-1].lower()
# shouting
shout(text: line) -> str
  Convert text to upper case and add "!" at the end.
  = text.upper() + "!"
  ! text.title() + "!"
  ! text.upper().replace(" ", "! ") + "!"
lower_twice(text: name) -> str
  Convert text to lower case and repeat it 2 times.
  = text.lower() * 2
  ! text * 2
  ! text.lower() + text
# capital-start
capital_first(word: word) -> str
  Make the initial letter a capital and leave the others as they are.
  = word[:1].upper() + word[1:]
  ! word.upper()
  ! word.replace(word[:1], word[:1].upper())
is_capitalized(word: name1) -> bool
  Return True if the first character of word is upper case.
  = word[0].isupper()
  ! word.isupper()
  ! word.istitle()
# case-swap
flip_case(word: name) -> str
  Swap the case of the letters: lower becomes upper and upper becomes lower.
  = word.swapcase()
  ! word.upper()
  ! word.lower() if word[:1].isupper() else word.upper()
same_ignoring_case(a: name, b: name) -> bool
  Are the two words equal when case is ignored?
  = a.lower() == b.lower()
  ! len(a) == len(b)
  ! a.lower() == b
# repeat-text
repeated(word: word1, times: small) -> str
  Return as many copies of the word as told, with nothing between them.
  = word * times
  ! word * max(times, 1)
  ! "".join(c * times for c in word)
repeated_with_dash(word: word1, times: small) -> str
  Repeat word the given number of times, joined with "-".
  = "-".join([word] * times)
  ! (word + "-") * times
  ! word + ("-" + word) * (times - 1)
# count-a-letter
count_letter(word: word, letter: letter) -> int
  How often does the letter occur in the word?
  = word.count(letter)
  ! int(letter in word)
  ! word.find(letter) + 1
letter_missing(word: word, letter: letter) -> bool
  Return True when the letter does not occur in the word at all.
  = letter not in word
  ! word.count(letter) < 2
  ! not word.startswith(letter)
# vowels
count_vowels(word: word) -> int
  Count the vowels (a, e, i, o, u) of the word.
  = sum(c in "aeiou" for c in word)
  ! len(set(word) & set("aeiou"))
  ! sum(c in "aeio" for c in word)
only_vowels(word: word) -> str
  Return a string of only the vowels of word.
  = "".join(c for c in word if c in "aeiou")
  ! "".join(c for c in word if c not in "bcdfghjklmn")
  ! "".join(v for v in "aeiou" if v in word)
starts_with_vowel(word: word1) -> bool
  Is the opening letter one of a, e, i, o, u?
  = word[0] in "aeiou"
  ! word[0] in "ae"
  ! word[-1] in "aeiou"
# consonants
drop_vowels(word: word) -> str
  Remove each of the letters a, e, i, o, u from the word.
  = "".join(c for c in word if c not in "aeiou")
  ! word.replace("a", "").replace("e", "")
  ! word[:1] + "".join(c for c in word[1:] if c not in "aeiou")
count_consonants(word: word) -> int
  Count the letters of word that are not in "aeiou".
  = sum(c not in "aeiou" for c in word)
  ! len(word) - 2
  ! len(set(word) - set("aeiou"))
# spaces
remove_spaces(text: line) -> str
  Return the text without its blanks.
  = text.replace(" ", "")
  ! text.replace(" ", "", 1)
  ! text.strip()
underscored(text: line) -> str
  Replace every space of text with "_".
  = text.replace(" ", "_")
  ! text.replace(" ", "_", 1)
  ! text.replace(" ", "")
# letter-swap
a_to_o(word: word) -> str
  Replace all "a" in word with "o".
  = word.replace("a", "o")
  ! word.replace("a", "o", 1)
  ! word.replace("o", "a")
swap_letter(word: word, old: letter, new: letter) -> str
  Write the letter new wherever the word has the letter old.
  = word.replace(old, new)
  ! word.replace(new, old)
  ! word.replace(old, new, 1)
# erase-letter
erase(word: word, letter: letter) -> str
  Delete all occurrences of the letter from the word.
  = word.replace(letter, "")
  ! word.replace(letter, "", 1)
  ! word.strip(letter)
erase_once(word: word, letter: letter) -> str
  Remove only the first occurrence of letter from word.
  = word.replace(letter, "", 1)
  ! word.replace(letter, "")
  ! word[::-1].replace(letter, "", 1)[::-1]
# count-words
number_of_words(text: line) -> int
  How many words, parted by blanks, does the text have?
  = len(text.split())
  ! text.count(" ")
  ! text.count(" ") + 1
more_than_three_words(text: line1) -> bool
  Return True if text has more than 3 words.
  = len(text.split()) > 3
  ! len(text) > 15
  ! len(text.split()) >= 3
# pick-word
opening_word(text: line1) -> str
  Split text and return the first word.
  = text.split()[0]
  ! text.split()[-1]
  ! text[:text.find(" ")]
closing_word(text: line1) -> str
  Split text and return the last word.
  = text.split()[-1]
  ! text.split()[0]
  ! text[text.find(" ") + 1:]
# word-order
words_reversed(text: line) -> str
  Split text into words and join them in reverse order with " ".
  = " ".join(text.split()[::-1])
  ! text[::-1]
  ! " ".join(sorted(text.split(), reverse=True))
words_sorted(text: line) -> str
  Split text into words, sort them, and join them with " ".
  = " ".join(sorted(text.split()))
  ! " ".join(sorted(set(text.split())))
  ! " ".join(sorted(text.split(), key=len))
# longest-of-text
longest_length(text: line1) -> int
  Return the length of the longest word in the text.
  = max(len(w) for w in text.split())
  ! len(max(text.split()))
  ! len(text.split()[-1])
shortest_length(text: line1) -> int
  Return how many letters the shortest word of the sentence has.
  = min(len(w) for w in text.split())
  ! len(min(text.split()))
  ! min(len(w) for w in text.split(" ", 1))
# initials
acronym(text: line) -> str
  Return the first letter of each word of text in upper case, joined together.
  = "".join(w[0].upper() for w in text.split())
  ! "".join(w[0] for w in text.split()).title()
  ! "".join(w[:1].upper() for w in text.split(" ", 1))
tails(text: line) -> str
  Return the last letters of the words of text, joined together.
  = "".join(w[-1] for w in text.split())
  ! "".join(w[0] for w in text.split())
  ! "".join(w[-1] for w in text.split() if len(w) > 1)
# every-second
every_second_backwards(word: word) -> str
  Take every second character of word, from index 0 on, and reverse them.
  = word[::2][::-1]
  ! word[::-1][::2]
  ! word[::2]
odd_places(word: word) -> str
  Return every second character of word, starting at index 1.
  = word[1::2]
  ! word[::2]
  ! word[1:-1:2]
# halves
first_half(word: word) -> str
  Return the first half of word, len(word) // 2 characters.
  = word[:len(word) // 2]
  ! word[:(len(word) + 1) // 2]
  ! word[:round(len(word) / 2)]
middle_letter(word: word1) -> str
  Return the letter at index len(word) // 2.
  = word[len(word) // 2]
  ! word[(len(word) - 1) // 2]
  ! word[round(len(word) / 2)]
# prefix
has_prefix(word: word, start: letter) -> bool
  Does the word begin with the given letter?
  = word.startswith(start)
  ! start in word
  ! word.find(start) <= 0
first_n(word: word, n: small) -> str
  Return the beginning of the word, n letters long, or the whole word if it is shorter.
  = word[:n]
  ! word[:n + 1]
  ! word[:n] if len(word) >= n else ""
# suffix
ends_in_y(word: word) -> bool
  Return True for words with "y" as their final letter.
  = word.endswith("y")
  ! "y" in word
  ! "y" in word[-2:]
ends_alike(a: word1, b: word1) -> bool
  Do both words have the same final letter?
  = a[-1] == b[-1]
  ! a[0] == b[0]
  ! a[-1] in b
# plural
plural(word: word1) -> str
  Add "s" to word if word does not end with "s".
  = word if word.endswith("s") else word + "s"
  ! word + "s"
  ! word if "s" in word else word + "s"
add_ing(word: word1) -> str
  Remove the "e" at the end of word, if there is one, and add "ing".
  = word.removesuffix("e") + "ing"
  ! word + "ing"
  ! word.rstrip("e") + "ing"
# doubled-letters
stutter(word: word) -> str
  Repeat each character of word twice.
  = "".join(c * 2 for c in word)
  ! word * 2
  ! "".join(c * 2 for c in dict.fromkeys(word))
spelled_out(word: word) -> str
  Join the letters of word with "-".
  = "-".join(word)
  ! word.replace("", "-")[1:]
  ! word[:1] + "-" + "-".join(word[1:])
# text-length
is_short(word: word) -> bool
  Does the word have fewer than five letters?
  = len(word) < 5
  ! len(word) <= 5
  ! len(word) < 4
same_length(a: word, b: word) -> bool
  Do the two words have equally many letters?
  = len(a) == len(b)
  ! len(set(a)) == len(set(b))
  ! abs(len(a) - len(b)) < 2
even_length(word: word) -> bool
  Check that the number of letters is even.
  = len(word) % 2 == 0
  ! len(word) % 4 == 0
  ! len(word) % 2 == 0 and word != ""
# distinct-letters
distinct_letters(word: word) -> int
  How many different letters does the word use?
  = len(set(word))
  ! len(word)
  ! sum(word.count(c) == 1 for c in word)
all_letters_differ(word: word) -> bool
  Return True if all letters of word are unique.
  = len(set(word)) == len(word)
  ! len(set(word)) > 2
  ! all(a != b for a, b in zip(word, word[1:]))
# anagrams
letters_sorted(word: word) -> str
  Return the letters of the word in alphabetical order.
  = "".join(sorted(word))
  ! "".join(sorted(set(word)))
  ! word[:1] + "".join(sorted(word[1:]))
letters_descending(word: word) -> str
  Sort the letters of word in reverse order and join them.
  = "".join(sorted(word, reverse=True))
  ! word[::-1]
  ! "".join(sorted(set(word), reverse=True))
# digits-in-text
only_digits(text: mixed) -> str
  Keep nothing but the digits of the text.
  = "".join(c for c in text if c.isdigit())
  ! "".join(c for c in text if c.isalnum())
  ! "".join(c for c in text if c in "123456789")
count_digits(text: mixed) -> int
  Count the characters that are digits.
  = sum(c.isdigit() for c in text)
  ! len(set(c for c in text if c.isdigit()))
  ! len(text) if text.isdigit() else 0
has_digit(text: mixed) -> bool
  Return True if any character of text is a digit.
  = any(c.isdigit() for c in text)
  ! text[:1].isdigit()
  ! text.isdigit()
# upper-in-text
count_capitals(text: mixed) -> int
  Count the upper case letters in text.
  = sum(c.isupper() for c in text)
  ! sum(c.isalpha() for c in text)
  ! sum(not c.islower() for c in text)
no_capitals(text: name) -> bool
  Return True if text is equal to text in lower case.
  = text == text.lower()
  ! text != text.upper()
  ! not text.istitle()
# punctuation
without_commas(text: marks) -> str
  Return the text with all commas taken out.
  = text.replace(",", "")
  ! text.strip(",")
  ! text.replace(",", " ")
count_questions(text: marks) -> int
  Count how many times "?" is in text.
  = text.count("?")
  ! int(text.endswith("?"))
  ! text.count("?") + text.count("!")
# trimming
trimmed_length(text: marks) -> int
  Strip text and return its length.
  = len(text.strip())
  ! len(text)
  ! len(text.replace(" ", ""))
dashes_to_blanks(text: marks) -> str
  Replace each "-" of text with a space.
  = text.replace("-", " ")
  ! text.strip("-")
  ! text.replace("-", "")
# find-letter
first_place(word: word, letter: letter) -> int
  Find the index of letter in word, -1 if it is not found.
  = word.find(letter)
  ! word.rfind(letter)
  ! max(word.find(letter), 0)
last_place(word: word, letter: letter) -> int
  Find the last index of letter in word, -1 if it is not found.
  = word.rfind(letter)
  ! word.find(letter)
  ! word[::-1].find(letter)
# compare-words
alphabetical_first(a: word, b: word) -> str
  Return the minimum of the two words in alphabetical order.
  = min(a, b)
  ! a
  ! min(a, b, key=len)
sum_of_lengths(a: word, b: word) -> int
  Return the sum of the lengths of a and b.
  = len(a) + len(b)
  ! len(set(a + b))
  ! 2 * max(len(a), len(b))
# common-letters
share_letter(a: word, b: word) -> bool
  Return True if any letter of a is in b.
  = any(c in b for c in a)
  ! a[:1] in b
  ! a in b or b in a
contains_word(text: line, word: word1) -> bool
  Split text and return True if word is in the list of words.
  = word in text.split()
  ! text.startswith(word)
  ! word in text.split()[:2]
# alphabet
letter_number(letter: letter) -> int
  Return 1 for "a", 2 for "b", 3 for "c", and so on, using ord.
  = ord(letter) - 96
  ! ord(letter) - ord("a") + (letter < "m")
  ! "abcdefghijlmnopqrstuvwxyz".index(letter) + 1
next_letter(letter: letter) -> str
  Return the next letter of the alphabet, using chr and ord.
  = chr(ord(letter) + 1)
  ! chr(ord(letter) + (1 if letter < "c" else 2))
  ! chr(ord(letter) + 1) if letter < "s" else "a"
# padding
centered(word: word, width: nat) -> str
  Center word in a string of the given width.
  = word.center(width)
  ! word.ljust(width)
  ! word.center(max(width, 9))
zero_filled(digits: digits) -> str
  Put zeros in front until the text has five characters; a longer text stays as it is.
  = digits.zfill(5)
  ! digits.ljust(5, "0")
  ! digits.zfill(5)[-5:]
# binary-text
count_ones(bits: bits) -> int
  How many characters of the text are "1"?
  = bits.count("1")
  ! bits.rstrip("0").count("1") + bits.endswith("00")
  ! len(bits.strip("0"))
binary_value(bits: bits) -> int
  Read the text as a number in base two and return it.
  = int(bits, 2)
  ! bits.count("1")
  ! int(bits[::-1], 2)
more_ones(bits: bits) -> bool
  Does the text have more ones than zeros?
  = bits.count("1") > bits.count("0")
  ! bits.count("1") >= bits.count("0")
  ! bits[len(bits) // 2] == "1"
# greeting
greet(name: name1) -> str
  Return "Hello, " + name + ".".
  = "Hello, " + name + "."
  ! "Hello, " + name.title() + "."
  ! "Hello, " + name.lower() + "."
starred(text: name) -> str
  Put the text between two stars.
  = "*" + text + "*"
  ! "*" + text.upper() + "*"
  ! "*" + text + "*" if text else ""
# substring
holds_an(word: word) -> bool
  Return True if "an" is in word.
  = "an" in word
  ! "a" in word
  ! "a" in word and "n" in word
up_to_five(word: word) -> str
  Return the first 5 characters of word.
  = word[:5]
  ! word[:6]
  ! word[1:6]
# split-at
comma_pieces(text: marks) -> list[str]
  Split text at ",".
  = text.split(",")
  ! text.split()
  ! text.split(", ")
blank_pieces(text: line) -> list[str]
  Split the text at its blanks and return the pieces as a list.
  = text.split()
  ! list(text)
  ! text.split(" ")
# letter-lists
as_letters(word: word) -> list[str]
  Return a list of the single letters of the word.
  = list(word)
  ! sorted(word)
  ! list(dict.fromkeys(word))
letter_codes(word: word) -> list[int]
  Return the character code of each letter, as ord gives it.
  = [ord(c) for c in word]
  ! [ord(c) for c in sorted(word)]
  ! [ord(c) for c in word if word.count(c) == 1]
"""

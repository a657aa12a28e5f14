def caesar(text, shift):
    result = ''
    vowels = 0
    for letter in text:
        if letter in 'aeiou':
            vowels += 1
        code = ord(letter)
        if letter.isalpha():
            code = (code - 97 + shift) % 26 + 97
        result += chr(code)
    return result


def main(n):
    text = 'the quick brown fox jumps over the lazy dog'
    for i in range(n):
        text = caesar(text, 3)
    return text

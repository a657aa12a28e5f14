def count(limit):
    i = 0
    while i < limit:
        yield i
        i += 1


def evens(numbers):
    for number in numbers:
        if number % 2 == 0:
            yield number


def main(n):
    total = 0
    for _ in range(n):
        for number in evens(count(40)):
            total += number
    return total

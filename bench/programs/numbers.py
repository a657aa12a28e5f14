def collatz(start):
    n = start
    steps = 0
    highest = n
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
        if n > highest:
            highest = n
    return steps


def main(n):
    total = 0
    for i in range(n):
        total += collatz(27 + i % 5)
    return total

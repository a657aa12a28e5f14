def fibonacci(n):
    if n < 2:
        return n
    left = fibonacci(n - 1)
    right = fibonacci(n - 2)
    return left + right


def main(n):
    total = 0
    for _ in range(n):
        total += fibonacci(9)
    return total

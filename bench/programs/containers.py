def grow(size):
    squares = []
    places = {}
    seen = set()
    for i in range(size):
        value = i * i
        squares.append(value)
        places[i] = value
        if value % 3 == 0:
            seen.add(i)
    while len(squares) > size // 2:
        squares.pop()
    return squares


def main(n):
    for _ in range(n):
        kept = grow(50)
    return len(kept)

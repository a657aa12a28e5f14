/** @file The programs a visitor can begin with. Each shows something else; `clip` cannot be run at all. */

export interface Example {
  readonly id: string;
  readonly title: string;
  /** What to look at. */
  readonly about: string;
  readonly text: string;
  readonly call: string;
}

export const EXAMPLES: readonly Example[] = [
  {
    id: 'discount',
    title: 'Discount',
    about: 'A loop that calls a function: step in, out, and back.',
    call: 'total([5, 2, 9], 3)',
    text: `def cut(price, discount):
    if price > discount:
        return price - discount
    return 0


def total(prices, discount):
    result = 0
    for price in prices:
        result = result + cut(price, discount)
    return result
`,
  },
  {
    id: 'clip',
    title: 'Clip (cannot be run)',
    about: 'It imports a package that is not installed. The model only reads it.',
    call: 'clip([1, 7])',
    text: `from sensors import read_all  # not installed here: this file cannot be imported

LIMIT = 3


def clip(values):
    result = []
    for value in values:
        if value > LIMIT:
            value = LIMIT
        result.append(value)
    return result


print(clip(read_all()))
`,
  },
  {
    id: 'gcd',
    title: 'Greatest common divisor',
    about: 'Two numbers and a loop: change one on the way and watch both worlds.',
    call: 'gcd(48, 36)',
    text: `def gcd(a, b):
    while b:
        a, b = b, a % b
    return a
`,
  },
  {
    id: 'factorial',
    title: 'Factorial',
    about: 'Recursion: see the call tree and the stack.',
    call: 'factorial(4)',
    text: `def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)
`,
  },
  {
    id: 'sort',
    title: 'Insertion sort',
    about: 'A longer run: scrub the timeline, set a breakpoint with a condition.',
    call: 'insertion_sort([5, 2, 4, 1])',
    text: `def insertion_sort(items):
    for i in range(1, len(items)):
        value = items[i]
        j = i
        while j > 0 and items[j - 1] > value:
            items[j] = items[j - 1]
            j -= 1
        items[j] = value
    return items
`,
  },
  {
    id: 'words',
    title: 'Word counts',
    about: 'Strings and a dictionary; it prints.',
    call: 'count("a rose is a rose")',
    text: `def count(text):
    seen = {}
    for word in text.split():
        seen[word] = seen.get(word, 0) + 1
        print(word, seen[word])
    return seen
`,
  },
  {
    id: 'lookup',
    title: 'An exception',
    about: 'An error that is caught, and one that is not.',
    call: 'area({"width": 3})',
    text: `def side(shape, name):
    return shape[name]


def area(shape):
    width = side(shape, "width")
    try:
        height = side(shape, "height")
    except KeyError:
        height = width
    return width * height
`,
  },
];

export const exampleOf = (id: string): Example | undefined => EXAMPLES.find((one) => one.id === id);

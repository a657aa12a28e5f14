/** @file Names that Python itself defines: what tells a wrong name from one that is merely not evaluated here. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

export const NAMES = {
  /** `dir(type)` of CPython 3.11 without `__x__`, and what later versions add. */
  attributes: new Map<string, ReadonlySet<string>>([
    [
      'int',
      words(
        'as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag is_integer ' +
          'numerator real to_bytes',
      ),
    ],
    ['float', words('as_integer_ratio conjugate from_number fromhex hex imag is_integer real')],
    [
      'str',
      words(
        'capitalize casefold center count encode endswith expandtabs find format format_map index ' +
          'isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace ' +
          'istitle isupper join ljust lower lstrip maketrans partition removeprefix removesuffix replace ' +
          'rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title ' +
          'translate upper zfill',
      ),
    ],
    [
      'bytes',
      words(
        'capitalize center count decode endswith expandtabs find fromhex hex index isalnum isalpha ' +
          'isascii isdigit islower isspace istitle isupper join ljust lower lstrip maketrans partition ' +
          'removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines ' +
          'startswith strip swapcase title translate upper zfill',
      ),
    ],
    ['list', words('append clear copy count extend index insert pop remove reverse sort')],
    ['tuple', words('count index')],
    ['dict', words('clear copy fromkeys get items keys pop popitem setdefault update values')],
    [
      'set',
      words(
        'add clear copy difference difference_update discard intersection intersection_update isdisjoint ' +
          'issubset issuperset pop remove symmetric_difference symmetric_difference_update union update',
      ),
    ],
    ['complex', words('conjugate from_number imag real')],
    ['NoneType', new Set<string>()],
  ]),
  exceptions: words(
    'ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError ' +
      'BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ' +
      'ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError ' +
      'EncodingWarning EnvironmentError Exception ExceptionGroup FileExistsError FileNotFoundError ' +
      'FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning ' +
      'IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt ' +
      'LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplementedError ' +
      'OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError ' +
      'RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration ' +
      'StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError ' +
      'UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError ' +
      'UnicodeWarning UserWarning ValueError Warning ZeroDivisionError',
  ),
  /** Functions and types of the builtins module, exceptions apart. */
  builtins: words(
    'Ellipsis NotImplemented abs aiter all anext any ascii bin bool breakpoint bytearray bytes ' +
      'callable chr classmethod compile complex delattr dict dir divmod enumerate eval exec filter ' +
      'float format frozenset getattr globals hasattr hash hex id input int isinstance issubclass iter ' +
      'len list locals map max memoryview min next object oct open ord pow print property range repr ' +
      'reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip',
  ),
  changing: words(
    'append extend insert pop remove clear sort reverse popitem setdefault update add discard appendleft popleft ' +
      'extendleft rotate intersection_update difference_update symmetric_difference_update',
  ),
};

"""The one error class of the Python side: a stable code, what happened, what to do next.

Twin of `src/common/errors.ts`; the command line prints it as one line and exits with its status.
"""

import sys
from collections.abc import Callable


class TrainingError(Exception):
    def __init__(self, code: str, message: str, hint: str, status: int = 3):
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.status = status

    def line(self) -> str:
        return f"{self.code}: {self.message} {self.hint}".replace("\n", " ")


def run_command(main: Callable[[], int]) -> None:
    """Runs a command line's `main`; a `TrainingError` becomes one line on stderr and its exit status."""
    try:
        status = main()
    except TrainingError as error:
        print(error.line(), file=sys.stderr)
        status = error.status
    sys.stdout.flush()
    sys.exit(status)

# SPDX-License-Identifier: BSD-3-Clause
"""The one exception of this package."""


class Error(Exception):
    """Something that Halocline refuses. Its text names the value that is wrong and what would be right.

    `code` is the error code of MPI, 0 if there is none.
    """

    def __init__(self, text: str, code: int = 0) -> None:
        super().__init__(text)
        self.code = code

"""The fenced blocks of a Markdown document, and the commands and outputs that blocks of a console show."""

import difflib
import re

LANGUAGES = ("c", "cpp", "cmake", "fortran", "python", "text")  # shown, never run
ELIDED = "..."


class DocumentError(Exception):
    """Something that the convention does not allow, with the line where it is."""

    def __init__(self, line, text):
        super().__init__(f"{line}: {text}")


class Block:
    """The lines between two fences. `line` is the number of the first fence, counted from 1."""

    def __init__(self, line, words, lines):
        self.line, self.kind, self.mark, self.lines = line, words[0], words[1] if len(words) > 1 else "", lines
        if len(words) > 2 or not self.known():
            raise DocumentError(line, f"a fence says '{' '.join(words)}'; it may say console or sh, which slow or "
                                f"untested may follow, or {', '.join(LANGUAGES)}, which a path of a file may follow")
        if self.kind not in ("console", "sh") and any(text.startswith("$ ") for text in lines):
            raise DocumentError(line, f"a block of {self.kind} shows a command: its fence has to say console")

    def known(self):
        return self.mark in ("", "slow", "untested") if self.kind in ("console", "sh") else self.kind in LANGUAGES

    @property
    def has_commands(self):
        return self.kind in ("console", "sh")

    @property
    def shows_file(self):
        return self.mark if self.kind in LANGUAGES else ""


def blocks_of(lines):
    """All blocks of a document, in order."""
    found, start = [], None
    for number, text in enumerate(lines, 1):
        if not text.lstrip().startswith("```"):
            continue
        if text.startswith(" "):
            raise DocumentError(number, "a fence is indented, where its block would be overlooked")
        words = text[3:].split()
        if start is None:
            if not words:
                raise DocumentError(number, "a fence does not say what its block is: console, sh, text, ...")
            start, opening = number, words
        else:
            if words:
                raise DocumentError(number, f"a fence says '{text}' inside the block that begins in line {start}")
            found.append(Block(start, opening, lines[start:number - 1]))
            start = None
    if start is not None:
        raise DocumentError(start, "a block has no end")
    return found


class Shown:
    """A command of a console and the lines below it, which are lines `first` to `last` - 1 of its block."""

    def __init__(self, number, command):
        self.number, self.command = number, command
        self.first = self.last = number + command.count("\n") + 1

    def output(self, block):
        return block.lines[self.first:self.last]


def commands_of(block):
    """The commands of a block of a console. A backslash at the end of a line continues a command."""
    found, number = [], 0
    while number < len(block.lines):
        text = block.lines[number]
        if text.startswith("$ "):
            end = number
            while block.lines[end].endswith("\\") and end + 1 < len(block.lines):
                end += 1
            found.append(Shown(number, "\n".join([text[2:], *block.lines[number + 1:end + 1]])))
            number = end + 1
        elif not found:
            raise DocumentError(block.line + number + 1, "a block of a console begins with '$ ' and a command")
        else:
            number += 1
            found[-1].last = number
    if not found:
        raise DocumentError(block.line, "a block of a console shows no command")
    return found


def segments_of(shown):
    """The runs of lines between those that stand for any lines."""
    found = [[]]
    for text in shown:
        if text == ELIDED:
            found.append([])
        else:
            found[-1].append(text)
    return found


def stands_for(shown, printed):
    """Whether a line that is shown, with '...' for any text, stands for one that is printed. How many blanks follow
    a '...' does not matter, so that columns can be kept below each other."""
    first, *others = shown.split(ELIDED)
    pattern = re.escape(first) + "".join(".*" + re.sub(r"^(\\ )+", r"\\s+", re.escape(piece)) for piece in others)
    return re.fullmatch(pattern, printed) is not None


def likeness(shown, printed):
    """1 if the line that is shown stands for the one that is printed, less the more they differ."""
    return 1 if stands_for(shown, printed) else 0.99 * difflib.SequenceMatcher(None, shown, printed, autojunk=False).ratio()


def likeness_of_lines(shown, printed):
    return sum(map(likeness, shown, printed))


def elided_alike(printed, shown):
    """A line that is printed, with the words left out that the most similar line that is shown leaves out."""
    nearest = max(shown, key=lambda line: likeness(line, printed), default="")
    if stands_for(nearest, printed):
        return nearest
    first, *others = nearest.split(ELIDED)
    if not others:
        return printed
    made, rest = printed[:len(first)], printed[len(first):]
    for number, piece in enumerate(others, 1):
        if not piece:
            return made + ELIDED
        word = re.match(r"\s*\S*", rest).group()
        rest = rest[len(word):]
        length = len(piece) if number < len(others) else len(rest)
        made += ELIDED.ljust(len(word)) + rest[:length]
        rest = rest[length:]
    return made


def shown_anew(shown, printed):
    """The lines that should stand there: those shown now, if they are right, else what is printed, with lines and words
    left out where they were left out before. Each run of lines becomes the most similar one after the last."""
    segments = segments_of(shown)
    if len(segments) == 1 and len(shown) == len(printed):
        return [elided_alike(new, [old]) for old, new in zip(shown, printed)]
    if len(segments) == 1 or sum(map(len, segments)) > len(printed):
        return [elided_alike(line, [old for old in shown if old != ELIDED]) for line in printed]
    made, begin = [], 0
    for number, segment in enumerate(segments):
        latest = len(printed) - sum(map(len, segments[number:]))
        starts = range(begin, latest + 1)
        if number == 0:
            starts = [0]
        elif number == len(segments) - 1:
            starts = [latest]
        start = max(starts, key=lambda place: (likeness_of_lines(segment, printed[place:place + len(segment)]), -place))
        begin = start + len(segment)
        made += [*([ELIDED] if number else []), *(elided_alike(new, [old]) for old, new in zip(segment, printed[start:begin]))]
    return made

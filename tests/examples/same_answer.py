"""same_answer.py remember|compare FILE COMMAND...: runs an example, which must find its answer right, and
remembers its checksum in FILE or compares it with the one there."""
import re
import subprocess
import sys


def answer_of(command):
    run = subprocess.run(command, capture_output=True, text=True)
    print(" ".join(command), run.stdout, run.stderr, sep="\n")
    if run.returncode != 0:
        sys.exit(f"it ended with status {run.returncode}")
    found = re.findall(r"^checksum ([0-9a-f]{16})$|largest value (\S+)$|: ([0-9A-Fa-f]{16}), ", run.stdout, re.MULTILINE)
    if len(found) != 1:
        sys.exit(f"it printed {len(found)} answers instead of one")
    return "".join(found[0]).lower()


def main():
    task, path, command = sys.argv[1], sys.argv[2], sys.argv[3:]
    answer = answer_of(command)
    if task == "remember":
        with open(path, "w", encoding="utf-8") as file:
            file.write(answer)
        return
    with open(path, encoding="utf-8") as file:
        expected = file.read()
    if answer != expected:
        sys.exit(f"the answer is {answer}, on one process it was {expected}")


main()

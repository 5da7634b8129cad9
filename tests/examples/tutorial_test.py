"""tutorial_test.py TUTORIAL FILE...: the tutorial shows these files as they are."""
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    tutorial = file.read()
for path in sys.argv[2:]:
    with open(path, encoding="utf-8") as file:
        if "\n" + file.read() + "```\n" not in tutorial:
            sys.exit(f"{sys.argv[1]} does not show {path} as it is")

"""expect.py EXPRESSION STATUS COMMAND...: runs a command, which must print what the regular expression says, on whichever
of its two outputs, and end with the status: a number, or `failure` for any but 0."""
import re
import subprocess
import sys

expression, status, command = sys.argv[1], sys.argv[2], sys.argv[3:]
done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
print(done.stdout, end="")
if done.returncode == 0 if status == "failure" else done.returncode != int(status):
    sys.exit(f"it ended with status {done.returncode}, not {status}")
if not re.search(expression, done.stdout, re.DOTALL):
    sys.exit(f"it did not print '{expression}'")

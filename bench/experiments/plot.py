"""Pictures of the experiments: panels of curves or bars, drawn by gnuplot into build/ as SVG."""

import os
import shutil
import subprocess

from experiment import progress, root


def quoted(text):
    return "'" + str(text).replace("'", "''") + "'"


def curve(title, points, style="linespoints lw 2 pt 7 ps 0.5", color=None):
    """Through (x, y); without a title it does not appear in the key."""
    name = f"title {quoted(title)}" if title else "notitle"
    return f"'-' with {style}{f' lc {color}' if color else ''} {name}", [f"{x} {y}" for x, y in points]


class Panel:
    def __init__(self, title, x, y, *settings):
        self.head = [f"set title {quoted(title)}", f"set xlabel {quoted(x)}", f"set ylabel {quoted(y)}", *settings]
        self.curves = []

    def add(self, *arguments, **options):
        self.curves.append(curve(*arguments, **options))

    def add_bars(self, groups, rows):
        """Beside each other for each of the groups; rows are {name: [value for each group]}."""
        self.head += ["set style data histogram", "set style histogram clustered gap 1", "set style fill solid 0.8",
                      "set yrange [0:*]", "set grid ytics"]
        for name, values in rows.items():
            data = [f"{quoted(group).replace(chr(39), chr(34))} {value}" for group, value in zip(groups, values)]
            self.curves.append((f"'-' using 2:xtic(1) title {quoted(name)}", data))

    def script(self):
        lines = ["reset", "set key outside right top", "set grid", "set border 3", "set tics nomirror", *self.head]
        lines.append("plot " + ", ".join(command for command, _ in self.curves))
        for _, data in self.curves:
            lines += [*data, "e"]
        return lines


def draw(name, panels, height=400, file=None):
    """One below the other in build/NAME.svg, or in `file`."""
    if not shutil.which("gnuplot"):
        progress("no gnuplot (Debian's gnuplot-nox): no plot")
        return
    file = file or os.path.join(root, "build", f"{name}.svg")
    script = [f"set terminal svg size 1000,{height * len(panels)} noenhanced font 'sans,13' background 'white'",
              f"set output {quoted(file)}", f"set multiplot layout {len(panels)},1"]
    for panel in panels:
        script += panel.script()
    subprocess.run(["gnuplot"], input="\n".join(script) + "\n", text=True, check=True)
    progress(f"plot: {file}")

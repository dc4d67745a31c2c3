"""plot.py SAMPLES.tsv PLOT.svg: URLs a second and resident memory over time."""
import sys

rows = [line.split("\t") for line in open(sys.argv[1]).read().splitlines()[1:]]
samples = [(float(r[0]), int(r[1]), int(r[2]) / 1024) for r in rows]
width, height, left, top = 760, 360, 60, 30
end = samples[-1][0] or 1
rates = []
for before, after in zip(samples, samples[5:]):  # over five samples: a second is too short to be smooth
    rates.append((after[0], (after[1] - before[1]) / (after[0] - before[0])))
most_rate = max(rate for _, rate in rates) * 1.1 or 1
most_memory = max(memory for _, _, memory in samples) * 1.1


def line(points, most, colour):
    path = " ".join(f"{left + x / end * (width - 2 * left):.1f},{top + (1 - y / most) * (height - 2 * top):.1f}"
                    for x, y in points)
    return f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{path}"/>'


def text(x, y, words, anchor="middle", colour="#333"):
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}">{words}</text>'


parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
         f'font-size="12"><rect width="100%" height="100%" fill="white"/>']
for i in range(5):
    y = top + (1 - i / 4) * (height - 2 * top)
    parts.append(f'<line x1="{left}" x2="{width - left}" y1="{y}" y2="{y}" stroke="#ddd"/>')
    parts.append(text(left - 6, y + 4, f"{most_rate * i / 4:,.0f}", "end", "#1f6feb"))
    parts.append(text(width - left + 6, y + 4, f"{most_memory * i / 4:,.0f}", "start", "#c2410c"))
    parts.append(text(left + i / 4 * (width - 2 * left), height - 10, f"{end * i / 4:.0f} s"))
parts.append(line(rates, most_rate, "#1f6feb"))
parts.append(line([(x, memory) for x, _, memory in samples], most_memory, "#c2410c"))
parts.append(text(left, 18, "URLs a second", "start", "#1f6feb"))
parts.append(text(width - left, 18, "resident memory, MiB", "end", "#c2410c"))
parts.append("</svg>\n")
open(sys.argv[2], "w").write("\n".join(parts))
done = samples[-1][1]
print(f"{done} URLs in {end:.0f} s: {done / end:.0f} a second; {max(m for _, _, m in samples):.0f} MiB at most, "
      f"{samples[len(samples) // 2][2]:.0f} MiB halfway")

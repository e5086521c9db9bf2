import { ACCENT, GREY, INK, type Pen, RULE } from './pen.ts';
import { brazilian, formatCell, type Plot } from './rows.ts';
import type { Sheet } from './sheet.ts';
import type { Faces } from './typeface.ts';

/** What a plot takes of its page. */
const HEIGHT = 176;
const TITLE_ROOM = 22;
const LABEL_ROOM = 16;
const GAP_BELOW = 14;
const LABEL_SIZE = 6.5;
const LINES = 4;
/** More labels of days would touch each other. */
const MAX_DAYS = 8;

/** A curve over the whole width below `top`. Returns how much of the page it takes. */
export function paintPlot(pen: Pen, { regular, bold }: Faces, sheet: Sheet, top: number, plot: Plot): number {
  const { points } = plot;
  const values = points.map(({ value }) => value);
  const scale = scaleOf(Math.min(...values), Math.max(...values));
  const labels = scale.lines.map((value) => formatTick(value, scale.decimals));
  const left = sheet.left + Math.max(...labels.map((text) => regular.width(text, LABEL_SIZE))) + 6;
  const [high, low] = [top + TITLE_ROOM, top + HEIGHT - LABEL_ROOM - GAP_BELOW];
  const last = points.at(-1)!;
  const x = (at: number) => left + ((sheet.right - left) * at) / Math.max(1, last.at);
  const y = (value: number) => low - ((low - high) * (value - scale.low)) / (scale.high - scale.low);
  pen.text(bold, 8, sheet.left, top + 9, formatCell(plot.title));
  scale.lines.forEach((value, at) => {
    pen.rule(left, sheet.right, y(value), RULE, 0.3);
    pen.textRight(regular, LABEL_SIZE, left - 4, y(value) + 2.2, labels[at]!, GREY);
  });
  for (const point of spread(points, MAX_DAYS)) {
    const width = regular.width(point.label, LABEL_SIZE);
    const place = Math.min(Math.max(x(point.at) - width / 2, left), sheet.right - width);
    pen.text(regular, LABEL_SIZE, place, low + 10, point.label, GREY);
  }
  pen.curve(
    points.map((point) => [x(point.at), y(point.value)] as const),
    ACCENT,
  );
  pen.textRight(bold, 7.5, sheet.right, top + 9, `${last.label}: ${last.text}`, INK);
  return HEIGHT;
}

interface Scale {
  readonly low: number;
  readonly high: number;
  readonly lines: readonly number[];
  readonly decimals: number;
}

/** Lines at round values around all values. */
function scaleOf(least: number, most: number): Scale {
  const span = most - least || Math.abs(most) * 0.01 || 1;
  const rough = span / LINES;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const [low, high] = [Math.floor(least / step) * step, Math.ceil(most / step) * step];
  const count = Math.max(1, Math.round((high - low) / step));
  const lines = Array.from({ length: count + 1 }, (_, at) => low + at * step);
  const top = high > low ? high : low + step;
  return { low, high: top, lines, decimals: Math.min(10, Math.max(2, -Math.floor(Math.log10(step)))) };
}

function formatTick(value: number, decimals: number): string {
  return brazilian(value.toFixed(decimals));
}

/** At most so many points, the first and the last among them. */
function spread<Point>(points: readonly Point[], most: number): Point[] {
  const count = Math.min(most, points.length);
  if (count < 2) return [...points];
  return Array.from({ length: count }, (_, at) => points[Math.round((at * (points.length - 1)) / (count - 1))]!);
}

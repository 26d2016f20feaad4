import { scaleBand, scaleLinear } from 'd3-scale';
import { area, curveMonotoneX, line, stack } from 'd3-shape';

/** Values of a series, one per point of the chart. `null` if a value is missing. */
export type Series = {
  readonly id: string;
  readonly label: string;
  readonly values: readonly (number | null)[];
  /** Color of the series by its meaning. Defaults to the color of its position. */
  readonly look?: 'first' | 'expected' | 'risk' | undefined;
};

/** Value of `data-series` for the color of a series: its meaning, or its position. */
export const lookOf = ({ look }: Pick<Series, 'look'>, index: number): string | number =>
  look ?? (index % 8) + 1;

/** Start and end of a range on the value axis. */
export type Span = readonly [number, number];

/** Ranges of stacked series, by series and point. Negative values stack downward from zero. */
export function stacked(series: readonly Series[], count: number): Span[][] {
  const points = Array.from({ length: count }, (_, index) => index);
  const made = stack<number, Series>()
    .keys(series)
    .value((index, { values }) => values[index] ?? 0)
    .offset(diverging)(points);
  return made.map((layer) => layer.map((point) => [point[0], point[1]] as const));
}

/** Stacks positive values upward and negative values downward from zero. */
function diverging(
  layers: { [index: number]: { [end: number]: number } & { length: number } & unknown[] }[] | unknown,
) {
  const all = layers as number[][][];
  const count = all[0]?.length ?? 0;
  for (let point = 0; point < count; point += 1) {
    let up = 0;
    let down = 0;
    for (const layer of all) {
      const span = layer[point];
      if (span === undefined) continue;
      const size = (span[1] ?? 0) - (span[0] ?? 0);
      const from = size < 0 ? down : up;
      [span[0], span[1]] = [from, from + size];
      if (size < 0) down += size;
      else up += size;
    }
  }
}

/** Returns the scale of the value axis. It includes zero and is extended to round numbers. */
export function valueScale(spans: readonly Span[], height: number) {
  const low = Math.min(0, ...spans.flat());
  const high = Math.max(0, ...spans.flat());
  return scaleLinear()
    .domain([low, high === low ? low + 1 : high])
    .nice(4)
    .range([height, 0]);
}

/** Returns up to about four round values for the axis labels. */
export const valueTicks = (scale: ReturnType<typeof valueScale>): number[] =>
  scale.ticks(4).filter((tick) => Number.isInteger(tick));

/** Removes duplicate axis labels, and keeps the label of zero. In the short format, all amounts of a few cents are $0. */
export function distinctTicks(
  scale: ReturnType<typeof valueScale>,
  format: (value: number) => string,
): number[] {
  const ticks = valueTicks(scale);
  const texts = ticks.map(format);
  const zero = ticks.includes(0) ? format(0) : null;
  return ticks.filter((tick, index) =>
    texts[index] === zero ? tick === 0 : texts.indexOf(texts[index] ?? '') === index,
  );
}

/** Returns the x coordinate of a point. Points are evenly spaced from edge to edge. */
export const pointPlace = (index: number, count: number, width: number): number =>
  count < 2 ? width / 2 : (index / (count - 1)) * width;

/** Returns the positions and widths of bars. */
export function bars(count: number, width: number) {
  const scale = scaleBand<number>()
    .domain(Array.from({ length: count }, (_, index) => index))
    .range([0, width])
    .paddingInner(0.28)
    .paddingOuter(0.1);
  return {
    placeOf: (index: number) => scale(index) ?? 0,
    width: Math.min(scale.bandwidth(), 56),
    band: scale.bandwidth(),
  };
}

/** Returns the SVG path of a line through values, with gaps at missing values. */
export function linePath(
  values: readonly (number | null)[],
  x: (index: number) => number,
  y: (value: number) => number,
) {
  return (
    line<number | null>()
      .defined((value) => value !== null)
      .x((_, index) => x(index))
      .y((value) => y(value ?? 0))
      .curve(curveMonotoneX)([...values]) ?? ''
  );
}

/** Returns the SVG path of the area between the starts and ends of ranges. */
export function areaPath(
  spans: readonly Span[],
  x: (index: number) => number,
  y: (value: number) => number,
): string {
  return (
    area<Span>()
      .x((_, index) => x(index))
      .y0(([from]) => y(from))
      .y1(([, until]) => y(until))
      .curve(curveMonotoneX)([...spans]) ?? ''
  );
}

/** Average width of a character of an axis label, and least distance between labels, in pixels. */
const characterWidth = 6.4;
const labelGap = 12;

type AxisLabels = {
  /** Names of all points. */
  readonly labels: readonly string[];
  /** Labels of the points at boundaries of the axis. `null` if a point isn't at a boundary. */
  readonly boundaries: readonly (string | null)[];
  readonly placeOf: (index: number) => number;
  readonly width: number;
  /** Least width of a label, in pixels. Zero labels every point. */
  readonly room?: number;
};

type AxisLabel = { readonly index: number; readonly text: string; readonly isLast: boolean };

const widthOf = (text: string): number => text.length * characterWidth;

/**
 * Returns the labels of the axis, without overlaps. Labels the boundaries, or every nth point if there are no boundaries. `isLast` is true if the label
 * would extend beyond the end of the axis.
 */
export function axisLabels({ labels, boundaries, placeOf, width, room }: AxisLabels): AxisLabel[] {
  const isLast = (index: number, text: string) => placeOf(index) + widthOf(text) / 2 > width;
  const labelOf = (index: number, text: string) => ({ index, text, isLast: isLast(index, text) });
  if (boundaries.every((text) => text === null)) {
    const least = room ?? Math.max(...labels.map(widthOf), 0) + labelGap;
    const every = Math.max(1, Math.ceil((labels.length * least) / Math.max(width, 1)));
    return labels.flatMap((text, index) =>
      (labels.length - 1 - index) % every === 0 ? [labelOf(index, text)] : [],
    );
  }
  const found: AxisLabel[] = [];
  let free = width + labelGap;
  for (let index = boundaries.length - 1; index >= 0; index -= 1) {
    const text = boundaries[index];
    if (text === null || text === undefined) continue;
    const right = isLast(index, text) ? width : placeOf(index) + widthOf(text) / 2;
    if (right + labelGap > free) continue;
    free = right - widthOf(text);
    found.unshift(labelOf(index, text));
  }
  return found;
}

/** Share of the largest value that the height of a sparkline represents at least. Smaller changes look flat. */
const sparkShare = 0.1;

/** Returns the range of values that a sparkline shows, with the values in its middle. */
export function sparkRange(values: readonly number[]): Span {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const size = Math.max(high - low, sparkShare * Math.max(Math.abs(low), Math.abs(high)));
  const middle = (low + high) / 2;
  return size === 0 ? [middle - 1, middle + 1] : [middle - size / 2, middle + size / 2];
}

/** Step of a waterfall chart: a change, or a total that starts at zero. */
export type WaterfallStep = {
  readonly id: string;
  readonly label: string;
  readonly value: number;
  readonly isTotal?: boolean;
};

/** Returns the start and end value of each step. */
export function waterfallSpans(steps: readonly WaterfallStep[]): Span[] {
  let at = 0;
  return steps.map(({ value, isTotal = false }) => {
    const from = isTotal ? 0 : at;
    at = from + value;
    return [from, at];
  });
}

/** One line of the report. A ratio is product over baseline, in the direction where more is better; null where nothing is compared. */
export type Result = {
  readonly work: string;
  readonly product: string;
  readonly baseline: string;
  readonly ratio: number | null;
  readonly goal: number | null;
  /** How many product processes served, and on which database; one on PostgreSQL by default. */
  readonly place?: string;
};

/** The middle value; of an even number of values the mean of the two in the middle. Throws on none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new Error('There is no median of nothing.');
  return (upper + lower) / 2;
}

/** A whole number with its thousands apart. */
export const count = (value: number): string =>
  Math.round(value).toLocaleString('en-US').replaceAll(',', ' ');

/** Milliseconds, one decimal below 100. */
export const ms = (value: number): string => `${value < 100 ? value.toFixed(1) : count(value)} ms`;

/** Median, lowest and highest of repeated measurements. */
export const spread = (values: readonly number[], unit: string): string =>
  `${count(median(values))} ${unit} (${count(Math.min(...values))}–${count(Math.max(...values))})`;

const verdict = ({ ratio, goal }: Result): string =>
  ratio === null || goal === null ? '' : ratio >= goal ? 'met' : 'missed';

/** The report as lines of text with aligned columns. */
export function tableOf(results: readonly Result[]): string {
  const head = ['work', 'product', 'baseline', 'ratio', 'goal', '', 'processes, database'];
  const rows = results.map((result) => [
    result.work,
    result.product,
    result.baseline,
    result.ratio?.toFixed(2) ?? '',
    result.goal?.toFixed(2) ?? '',
    verdict(result),
    result.place ?? '1, PostgreSQL',
  ]);
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(head), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join('\n');
}

/** Row in the report. `ratio` compares Quittance with the baseline; higher is better. `null` if there is no baseline. */
export type Result = {
  readonly work: string;
  readonly product: string;
  readonly baseline: string;
  readonly ratio: number | null;
  readonly goal: number | null;
  /** Number of processes, and the database that they use. Defaults to one process on PostgreSQL. */
  readonly place?: string;
};

/** Returns the median. For an even number of values, the median is the mean of the two middle values. Throws if the list is empty. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined)
    throw new Error("The median of an empty list doesn't exist.");
  return (upper + lower) / 2;
}

/** Formats an integer with thousands separators. */
export const count = (value: number): string => Math.round(value).toLocaleString('en-US');

/** Formats milliseconds. Values below 100 have one decimal place. */
export const ms = (value: number): string => `${value < 100 ? value.toFixed(1) : count(value)} ms`;

/** Formats repeated measurements as their median, minimum, and maximum. */
export const spread = (values: readonly number[], unit: string): string =>
  `${count(median(values))} ${unit} (${count(Math.min(...values))}–${count(Math.max(...values))})`;

const verdict = ({ ratio, goal }: Result): string =>
  ratio === null || goal === null ? '' : ratio >= goal ? 'met' : 'missed';

/** Returns rows as text with aligned columns. */
export function alignedText(head: readonly string[], rows: readonly (readonly string[])[]): string {
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

/** Returns the report as text with aligned columns. */
export const tableOf = (results: readonly Result[]): string =>
  alignedText(
    ['work', 'product', 'baseline', 'ratio', 'goal', '', 'processes, database'],
    results.map((result) => [
      result.work,
      result.product,
      result.baseline,
      result.ratio?.toFixed(2) ?? '',
      result.goal?.toFixed(2) ?? '',
      verdict(result),
      result.place ?? '1, PostgreSQL',
    ]),
  );

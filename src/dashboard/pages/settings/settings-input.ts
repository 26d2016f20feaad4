/** Returns the changed values. Converts empty strings to `null`. */
export function changesOf<Values extends object>(stored: Values, values: Values): Partial<Values> {
  const entries = Object.entries(values).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify((stored as Record<string, unknown>)[name]),
  );
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value === '' ? null : value]),
  ) as Partial<Values>;
}

/** Returns the non-empty lines of a string. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Returns the whole numbers in a list that is separated by commas or spaces. Other items become 0, which the API rejects. */
export const numbersOf = (text: string): number[] =>
  text
    .split(/[\s,;]+/)
    .filter((item) => item !== '')
    .map((item) => (/^\d{1,4}$/.test(item) ? Number(item) : 0));

/** Splits the named values of the changes into lists, one item per line. */
export function withLines<Values extends object>(
  changes: Values,
  names: readonly (keyof Values)[],
): Record<string, unknown> {
  const lists = names
    .filter((name) => name in changes)
    .map((name) => [name, linesOf(String(changes[name] ?? ''))]);
  return { ...changes, ...Object.fromEntries(lists) };
}

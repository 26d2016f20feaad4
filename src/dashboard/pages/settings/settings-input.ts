/** What differs from what is stored; an empty text is sent as null. */
export function changesOf<Values extends object>(stored: Values, values: Values): Partial<Values> {
  const entries = Object.entries(values).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify((stored as Record<string, unknown>)[name]),
  );
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value === '' ? null : value]),
  ) as Partial<Values>;
}

/** The lines of a text that are not empty. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Changes of which some are held as lines of a text. */
export function withLines<Values extends object>(
  changes: Values,
  names: readonly (keyof Values)[],
): Record<string, unknown> {
  const lists = names
    .filter((name) => name in changes)
    .map((name) => [name, linesOf(String(changes[name] ?? ''))]);
  return { ...changes, ...Object.fromEntries(lists) };
}

type Values = { readonly id: string; readonly label: string; readonly values: readonly number[] };

/** Maximum number of groups with their own color. Smaller groups are combined into one. */
const maxShown = 7;

/** Sorts series by total, largest first. Combines smaller series into one with the label `others`. */
export function largest(series: readonly Values[], others: string): Values[] {
  const sizeOf = ({ values }: Values) => values.reduce((sum, value) => sum + Math.abs(value), 0);
  const sorted = series.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const [shown, rest] = [sorted.slice(0, maxShown), sorted.slice(maxShown)];
  const values = rest[0]?.values.map((_value, place) =>
    rest.reduce((sum, one) => sum + (one.values[place] ?? 0), 0),
  );
  return values === undefined ? shown : [...shown, { id: 'others', label: others, values }];
}

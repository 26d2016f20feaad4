type Values = { readonly id: string; readonly label: string; readonly values: readonly number[] };

/** The most groups a chart tells apart by color; the smaller ones are one more. */
const mostShown = 7;

/** The largest series first, by what their values add up to, and all smaller ones as one with the label `others`. */
export function largest(series: readonly Values[], others: string): Values[] {
  const sizeOf = ({ values }: Values) => values.reduce((sum, value) => sum + Math.abs(value), 0);
  const sorted = series.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const [shown, rest] = [sorted.slice(0, mostShown), sorted.slice(mostShown)];
  const values = rest[0]?.values.map((_value, place) =>
    rest.reduce((sum, one) => sum + (one.values[place] ?? 0), 0),
  );
  return values === undefined ? shown : [...shown, { id: 'others', label: others, values }];
}

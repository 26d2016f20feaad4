import type { RecordedRequest } from '../../data/requests.ts';

/** What the requests of this tab add up to. */
export type TabFigures = {
  readonly requests: number;
  readonly failed: number;
  /** How often each error code was answered, the most frequent first. */
  readonly codes: readonly { readonly code: string; readonly count: number }[];
  /** The slowest answer of each operation, in milliseconds, with its highest cost; the slowest first. */
  readonly slowest: readonly {
    readonly name: string;
    readonly milliseconds: number;
    readonly cost: number | null;
  }[];
};

/** How many operations are listed. */
const most = 5;

/** What recorded requests add up to. */
export function figuresOf(requests: readonly RecordedRequest[]): TabFigures {
  const codes = new Map<string, number>();
  const slowest = new Map<string, { milliseconds: number; cost: number | null }>();
  for (const { code, name, milliseconds, cost } of requests) {
    if (code !== null) codes.set(code, (codes.get(code) ?? 0) + 1);
    const before = slowest.get(name);
    const costs = [cost, before?.cost ?? null].filter((each) => each !== null);
    slowest.set(name, {
      milliseconds: Math.max(milliseconds, before?.milliseconds ?? 0),
      cost: costs.length === 0 ? null : Math.max(...costs),
    });
  }
  return {
    requests: requests.length,
    failed: requests.filter(({ code }) => code !== null).length,
    codes: [...codes].map(([code, count]) => ({ code, count })).sort((one, other) => other.count - one.count),
    slowest: [...slowest]
      .map(([name, figures]) => ({ name, ...figures }))
      .sort((one, other) => other.milliseconds - one.milliseconds)
      .slice(0, most),
  };
}

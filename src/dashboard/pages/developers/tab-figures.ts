import type { RecordedRequest } from '../../data/requests.ts';

/** Statistics of the requests that this tab sent. */
export type TabFigures = {
  readonly requests: number;
  readonly failed: number;
  /** Number of errors by error code, most frequent first. */
  readonly codes: readonly { readonly code: string; readonly count: number }[];
  /** Longest response time (in milliseconds) and highest cost of each operation, slowest operation first. */
  readonly slowest: readonly {
    readonly name: string;
    readonly milliseconds: number;
    readonly cost: number | null;
  }[];
};

const maxOperations = 5;

/** Calculates the statistics of recorded requests. */
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
      .slice(0, maxOperations),
  };
}

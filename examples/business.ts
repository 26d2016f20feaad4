import type { Client } from './client.ts';

// Reads the recurring revenue of the simulated year from metrics queries.

/** Recurring revenue for a month, in ten-thousandths of a dollar. */
export type MrrMonth = {
  readonly month: string;
  readonly opening: number;
  /** Total MRR movements in the month, by type. */
  readonly movements: Readonly<Record<string, number>>;
  readonly closing: number;
  readonly customers: number;
};

/**
 * Retention at the end of the year compared with `months` months earlier: net and gross revenue retention, and the share of customers who
 * still pay.
 */
export type Retention = {
  readonly months: number;
  readonly netBps: number | null;
  readonly grossBps: number | null;
  readonly customerBps: number | null;
};

/** Customers by the month of their first payment, and the number who still pay at the end of each following month. */
export type Cohort = { readonly month: string; readonly customers: readonly number[] };

export type Business = {
  readonly mrr: readonly MrrMonth[];
  readonly retention: readonly Retention[];
  readonly cohorts: readonly Cohort[];
};

/** Time spans in months for which retention is read. */
const spans = [1, 3, 6] as const;

const query = `query ($from: Date!, $to: Date!) {
  metricsMrr(from: $from, to: $to, interval: month, currency: usd) {
    isComplete points { start opening closing payingCustomers movements { kind amount } } }
  ${spans.map((months) => `kept${months}: metricsRetention(month: $to, months: ${months}) { netBps grossBps customerBps }`).join('\n  ')}
  metricsCohorts(from: $from, to: $to) { month cells { customers } }
}`;

type Point = {
  readonly start: string;
  readonly opening: number;
  readonly closing: number;
  readonly payingCustomers: number;
  readonly movements: readonly { readonly kind: string; readonly amount: number }[];
};

type Answer = {
  readonly metricsMrr: readonly { readonly isComplete: boolean; readonly points: readonly Point[] }[];
  readonly metricsCohorts: readonly {
    readonly month: string;
    readonly cells: readonly { readonly customers: number }[];
  }[];
} & Readonly<Record<`kept${(typeof spans)[number]}`, readonly Omit<Retention, 'months'>[]>>;

const monthOf = (day: string): string => day.slice(0, 'YYYY-MM'.length);

function movementsOf({ movements }: Point): Record<string, number> {
  const sums = new Map<string, number>();
  for (const { kind, amount } of movements) sums.set(kind, (sums.get(kind) ?? 0) + amount);
  return Object.fromEntries([...sums].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** True if the year's metrics are complete. The worker completes them shortly after the clock advances. */
const isAddedUp = ({ metricsMrr, ...rest }: Answer): boolean =>
  metricsMrr.every(({ isComplete }) => isComplete) && spans.every((span) => rest[`kept${span}`].length > 0);

const pauseMs = 250;
const mostPauses = 480;

/** Reads a year's recurring revenue once its metrics are complete. Throws after two minutes. */
export async function readBusiness(seller: Client, year: number): Promise<Business> {
  for (let pauses = 0; pauses < mostPauses; pauses++) {
    const answer = await seller.graphql<Answer>(query, { from: `${year}-01-01`, to: `${year}-12-31` });
    if (isAddedUp(answer)) return businessOf(answer);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  throw new Error(`The metrics of ${year} weren't complete in time.`);
}

const businessOf = (answer: Answer): Business => ({
  mrr: answer.metricsMrr.flatMap(({ points }) =>
    points.map((point) => ({
      month: monthOf(point.start),
      opening: point.opening,
      movements: movementsOf(point),
      closing: point.closing,
      customers: point.payingCustomers,
    })),
  ),
  retention: spans.flatMap((months) => answer[`kept${months}`].map((kept) => ({ months, ...kept }))),
  cohorts: answer.metricsCohorts.map(({ month, cells }) => ({
    month: monthOf(month),
    customers: cells.map(({ customers }) => customers),
  })),
});

import type { Context } from '../../context.ts';
import type { MissingRate } from '../../domain/metrics/conversion.ts';
import { dayOf, intervalStart } from '../../domain/metrics/range.ts';
import { ratioBps } from '../../domain/metrics/ratio.ts';
import { divideRounded } from '../../domain/money.ts';
import { addDays } from '../../domain/period.ts';
import { computeCash } from '../metrics-cash/compute-cash.ts';
import { computeMrr } from './compute-mrr.ts';
import { countCanceled, readActive } from './store.ts';

/** The currency of the headline. */
const currency = 'usd';

/** The days whose cancellations count as churn. */
const churnDays = 30;

/** The figures of a first page. Null where an exchange rate is missing, or something would be divided by 0. */
export type Headline = {
  readonly currency: string;
  /** Rate units. */
  readonly mrr: bigint | null;
  /** What was collected in the running month; US cents. */
  readonly revenue: bigint | null;
  readonly growthBps: bigint | null;
  readonly churnBps: bigint | null;
  readonly activeSubscriptions: number;
  readonly isComplete: boolean;
  readonly missingRates: readonly MissingRate[];
};

const growthOf = (before: bigint | null, now: bigint | null): bigint | null =>
  before === null || now === null || before === 0n ? null : divideRounded((now - before) * 10_000n, before);

/** The figures of a first page, in US dollars: recurring and collected revenue, growth, churn, and active subscriptions. */
export async function computeHeadline(ctx: Context): Promise<Headline> {
  const now = ctx.clock.now();
  const today = dayOf(now);
  const month = intervalStart(today, 'month');
  const [[mrr], [cash], active, canceled] = await Promise.all([
    computeMrr(ctx, { from: month, to: today, interval: 'month', currency }),
    computeCash(ctx, { from: month, to: today, interval: 'month', currency }),
    readActive(ctx.sql),
    countCanceled(ctx.sql, addDays(now, -churnDays)),
  ]);
  const [recurring] = mrr?.points ?? [];
  const nothing = { opening: 0n, closing: 0n };
  const { opening, closing } = recurring ?? nothing;
  const missing = [...(mrr?.missingRates ?? []), ...(cash?.missingRates ?? [])];
  return {
    currency,
    mrr: closing,
    revenue: cash?.points[0]?.collected ?? null,
    growthBps: growthOf(opening, closing),
    churnBps: ratioBps(BigInt(canceled), BigInt(active + canceled)),
    activeSubscriptions: active,
    isComplete: (mrr?.isComplete ?? true) && (cash?.isComplete ?? true),
    missingRates: [...new Map(missing.map((one) => [`${one.currency} ${one.day}`, one])).values()],
  };
}

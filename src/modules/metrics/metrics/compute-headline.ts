import type { MissingRate } from '../../../domain/metrics/conversion.ts';
import { dayOf, intervalStart } from '../../../domain/metrics/range.ts';
import { divideRounded } from '../../../domain/money/money.ts';
import { ratioBps } from '../../../domain/money/ratio.ts';
import { addDays } from '../../../domain/time/period.ts';
import type { Context } from '../../../request/context.ts';
import { computeCash } from '../cash/compute-cash.ts';
import { computeMrr } from './compute-mrr.ts';
import { countCanceled, readActive } from './store.ts';

const currency = 'usd';

/** Length in days of the period whose cancellations count toward the churn rate. */
const churnDays = 30;

/** Headline metrics. A value is `null` if an exchange rate is missing or the divisor is 0. */
export type Headline = {
  readonly currency: string;
  /** Monthly recurring revenue, in ten-thousandths of a US dollar (10,000 = 1.00). */
  readonly mrr: bigint | null;
  /** Amount collected in the current month, in US cents. */
  readonly revenue: bigint | null;
  readonly growthBps: bigint | null;
  readonly churnBps: bigint | null;
  readonly activeSubscriptions: number;
  readonly isComplete: boolean;
  readonly missingRates: readonly MissingRate[];
};

const growthOf = (before: bigint | null, now: bigint | null): bigint | null =>
  before === null || now === null || before === 0n ? null : divideRounded((now - before) * 10_000n, before);

/** Computes the headline metrics in US dollars: recurring revenue, collected revenue, growth, churn rate, and active subscriptions. */
export async function computeHeadline(ctx: Context): Promise<Headline> {
  const now = ctx.clock.now();
  const today = dayOf(now);
  const month = intervalStart(today, 'month');
  const [[mrr], [cash], active, canceled] = await Promise.all([
    computeMrr(ctx, { from: month, to: today, interval: 'month', currency }),
    computeCash(ctx, { from: month, to: today, interval: 'month', currency }),
    readActive(ctx.reads),
    countCanceled(ctx.reads, addDays(now, -churnDays)),
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

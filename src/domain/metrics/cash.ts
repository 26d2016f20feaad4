// Cash metrics from daily ledger sums. Each metric adds up the amounts of certain ledger facts (MET-50).
import type { LedgerFact } from '../ledger/post.ts';
import type { Conversion } from './conversion.ts';
import type { Bucket, Day } from './range.ts';

type Facts = { readonly [fact in LedgerFact]?: 1 | -1 };

/** Ledger facts of each cash metric, with the sign of their contribution (MET-50). */
export const cashFigures = {
  collected: { 'payment.settled': 1 },
  refunded: { 'payment.refunded': 1, 'payment.tax_refunded': 1 },
  disputesLost: { 'dispute.lost': 1 },
  netCash: {
    'payment.settled': 1,
    'payment.refunded': -1,
    'payment.tax_refunded': -1,
    'dispute.lost': -1,
    'payment.returned': -1,
  },
  fees: { 'payment.fee_kept': 1 },
  settledOutside: { 'invoice.settled_outside': 1 },
  writtenOff: { 'invoice.uncollectible': 1, 'invoice.below_minimum': 1 },
} as const satisfies Readonly<Record<string, Facts>>;

export type CashFigure = keyof typeof cashFigures;

export const cashFigureNames = Object.keys(cashFigures) as readonly CashFigure[];

/**
 * Ledger facts that make up the billed amount before tax: issued invoices minus discounts, prorations, and credit notes
 * of outstanding invoices. Voided invoices are subtracted (MET-50).
 */
export const billedPostings = {
  'invoice.issued': 1,
  'invoice.discounted': -1,
  'invoice.prorated': -1,
  'invoice.voided': -1,
  'invoice.discount_voided': 1,
  'invoice.proration_voided': 1,
  'invoice.credited': -1,
  'invoice.credit_voided': 1,
} as const satisfies Facts;

/** Dimensions for grouping billed amounts within a currency: plan, invoice type, line type, or the buyer's country. */
export type BilledScope = 'currency' | 'plan' | 'invoice_type' | 'line_type' | 'country';

export const cashPostings: readonly string[] = [
  ...new Set(Object.values(cashFigures).flatMap((facts) => Object.keys(facts))),
];

/** Adds up the sums of a metric's ledger facts, each with its sign. */
export const figureOf = (facts: Facts, sums: ReadonlyMap<string, bigint>): bigint =>
  Object.entries(facts).reduce((total, [fact, sign]) => total + BigInt(sign) * (sums.get(fact) ?? 0n), 0n);

/** Amount of one day or bucket, in minor units of one currency. */
export type DatedAmount = {
  /** Zero-based index of the day in the range, or of the bucket in the series. */
  readonly span: number;
  readonly currency: string;
  readonly key: string;
  readonly amount: bigint;
};

/** Amounts of a bucket, with the same keys as the daily amounts. An amount is `null` if an exchange rate is missing. */
export type PointAmounts = ReadonlyMap<string, bigint | null>;

/** Amounts of each bucket in one currency. */
export type AmountSeries = { readonly currency: string; readonly points: readonly PointAmounts[] };

const addTo = (sums: Map<string, bigint | null>, key: string, amount: bigint | null): void => {
  const known = sums.get(key);
  sums.set(key, amount === null || known === null ? null : (known ?? 0n) + amount);
};

/** Groups the sums of buckets into one series per currency, sorted by currency code. */
export function seriesByCurrency(
  buckets: readonly Bucket[],
  amounts: readonly DatedAmount[],
): AmountSeries[] {
  const byCurrency = Map.groupBy(amounts, ({ currency }) => currency);
  return [...byCurrency.keys()].sort().map((currency) => {
    const points = buckets.map(() => new Map<string, bigint | null>());
    for (const { span, key, amount } of byCurrency.get(currency) ?? []) {
      const point = points[span];
      if (point !== undefined) addTo(point, key, amount);
    }
    return { currency, points };
  });
}

/**
 * Converts daily sums to one series, using the rates of each day. Each point is the sum of its converted days, so the
 * months of a year add up to the year's total.
 */
export function convertedSeries(
  buckets: readonly Bucket[],
  days: readonly Day[],
  amounts: readonly DatedAmount[],
  conversion: Conversion,
): AmountSeries {
  const points = buckets.map(() => new Map<string, bigint | null>());
  const bucketOf = new Map<Day, number>();
  let place = 0;
  for (const day of days) {
    while (day > (buckets[place]?.end ?? day)) place++;
    bucketOf.set(day, place);
  }
  for (const { span, currency, key, amount } of amounts) {
    const day = days[span];
    const point = day === undefined ? undefined : points[bucketOf.get(day) ?? -1];
    if (day !== undefined && point !== undefined) addTo(point, key, conversion.minor(amount, currency, day));
  }
  return { currency: conversion.currency, points };
}

/**
 * Returns the value of a metric from the amounts of its ledger facts at a point. `null` if an exchange rate
 * is missing.
 */
export function pointFigure(facts: Facts, point: PointAmounts): bigint | null {
  const sums = new Map<string, bigint>();
  for (const fact of Object.keys(facts)) {
    const amount = point.get(fact) ?? (point.has(fact) ? null : 0n);
    if (amount === null) return null;
    sums.set(fact, amount);
  }
  return figureOf(facts, sums);
}

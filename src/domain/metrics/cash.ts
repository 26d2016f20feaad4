// Series of money read from the ledger: the facts behind each figure (MET-50), and points from sums by day.
import type { LedgerFact } from '../ledger/post.ts';
import type { Conversion } from './conversion.ts';
import type { Bucket, Day } from './range.ts';

type Facts = { readonly [fact in LedgerFact]?: 1 | -1 };

/** The facts that make up each figure of a day, and whether they add to it or take from it (MET-50). */
export const cashFigures = {
  collected: { 'payment.settled': 1 },
  refunded: { 'payment.refunded': 1, 'payment.tax_refunded': 1 },
  disputesLost: { 'dispute.lost': 1 },
  netCash: {
    'payment.settled': 1,
    'payment.refunded': -1,
    'payment.tax_refunded': -1,
    'dispute.lost': -1,
  },
  fees: { 'payment.fee_kept': 1 },
  settledOutside: { 'invoice.settled_outside': 1 },
  writtenOff: { 'invoice.uncollectible': 1, 'invoice.below_minimum': 1 },
} as const satisfies Readonly<Record<string, Facts>>;

/** A figure of cash. */
export type CashFigure = keyof typeof cashFigures;

/** All figures of cash. */
export const cashFigureNames = Object.keys(cashFigures) as readonly CashFigure[];

/** Billed before tax: what was issued, less discounts and what was paid before, less the same of voided invoices (MET-50). */
export const billedPostings = {
  'invoice.issued': 1,
  'invoice.discounted': -1,
  'invoice.prorated': -1,
  'invoice.voided': -1,
  'invoice.discount_voided': 1,
  'invoice.proration_voided': 1,
} as const satisfies Facts;

/** What billed amounts are summed up of: a currency, and in it each plan, type of invoice, type of line and country of the buyer. */
export type BilledScope = 'currency' | 'plan' | 'invoice_type' | 'line_type' | 'country';

/** All facts of cash. */
export const cashPostings: readonly string[] = [
  ...new Set(Object.values(cashFigures).flatMap((facts) => Object.keys(facts))),
];

/** Sums by fact as one figure. */
export const figureOf = (facts: Facts, sums: ReadonlyMap<string, bigint>): bigint =>
  Object.entries(facts).reduce((total, [fact, sign]) => total + BigInt(sign) * (sums.get(fact) ?? 0n), 0n);

/** An amount of one day, or of one span, in one currency, of one figure or group. Minor units. */
export type DatedAmount = {
  /** The place of its day in the days of the range, or of its bucket. */
  readonly span: number;
  readonly currency: string;
  readonly key: string;
  readonly amount: bigint;
};

/** Amounts of one bucket by key; null where a rate is missing. */
export type PointAmounts = ReadonlyMap<string, bigint | null>;

/** Points of one currency, one for each bucket. */
export type AmountSeries = { readonly currency: string; readonly points: readonly PointAmounts[] };

const addTo = (sums: Map<string, bigint | null>, key: string, amount: bigint | null): void => {
  const known = sums.get(key);
  sums.set(key, amount === null || known === null ? null : (known ?? 0n) + amount);
};

/** Sums of buckets as one series for each currency, in order of their codes. */
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

/** Sums of days, converted day by day, as one series: points add up the days, so that the months of a year add up to the year. */
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

/** The figure of a point from its sums by fact; null where a fact's rate is missing. */
export function pointFigure(facts: Facts, point: PointAmounts): bigint | null {
  const sums = new Map<string, bigint>();
  for (const fact of Object.keys(facts)) {
    const amount = point.get(fact) ?? (point.has(fact) ? null : 0n);
    if (amount === null) return null;
    sums.set(fact, amount);
  }
  return figureOf(facts, sums);
}

import { addToDay, type Day, dayOf, isClosedDay } from '../../../domain/metrics/range.ts';
import {
  type Ageing,
  type AgeingSpan,
  ageingOf,
  ageingSpans,
  billedDays,
  daysSalesOutstanding,
} from '../../../domain/metrics/receivables.ts';
import type { Context } from '../../../request/context.ts';
import { readIsComplete } from '../day-sums/store.ts';
import { type ConversionChoice, loadConversion } from '../fx-rates/load-rates.ts';
import { ledgerSource, readOpenSums } from '../ledger-days/store.ts';
import { billedOf, type SeriesHead } from './compute-cash.ts';

/** Amounts outstanding at the end of a day in one currency, in minor units. `null` if an exchange rate is missing. */
export type Receivables = SeriesHead &
  Readonly<Record<AgeingSpan, bigint | null>> & {
    readonly day: Day;
    readonly isClosed: boolean;
    readonly total: bigint | null;
    readonly daysSalesOutstanding: bigint | null;
  };

const totalOf = (ageing: Ageing): bigint => Object.values(ageing).reduce((sum, amount) => sum + amount, 0n);

const addNullable = (a: bigint | null, b: bigint | null): bigint | null =>
  a === null || b === null ? null : a + b;

/**
 * Computes receivables at the end of a day, grouped by days past due: one result per currency, or a single result in the requested
 * currency.
 */
export async function computeReceivables(
  ctx: Context,
  { day, ...choice }: ConversionChoice & { readonly day: Day },
): Promise<Receivables[]> {
  const last90 = { from: addToDay(day, 1 - billedDays), to: day };
  const [open, billed, isComplete, conversion] = await Promise.all([
    readOpenSums(ctx.reads, day),
    billedOf(ctx, last90),
    readIsComplete(ctx.reads, ledgerSource),
    loadConversion(ctx, choice, { from: day, to: day }),
  ]);
  const head = { isComplete, day, isClosed: isClosedDay(day, ctx.clock.now()) };
  const byCurrency = Map.groupBy(open, ({ currency }) => currency);
  const currencies = [...new Set([...byCurrency.keys(), ...billed.keys()])].sort();
  const each = currencies.map((currency) => {
    const due = (byCurrency.get(currency) ?? []).map(({ dueDay, amount }) => ({
      dueDay: dayOf(dueDay),
      amount,
    }));
    return { currency, ageing: ageingOf(due, day), billed: billed.get(currency) ?? 0n };
  });
  if (conversion === null)
    return each.map(({ currency, ageing, billed: amount }) => ({
      ...head,
      ...ageing,
      currency,
      isConverted: false,
      missingRates: [],
      total: totalOf(ageing),
      daysSalesOutstanding: daysSalesOutstanding(totalOf(ageing), amount),
    }));
  const converted = (amountOf: (one: (typeof each)[number]) => bigint): bigint | null =>
    each
      .map((one) => conversion.minor(amountOf(one), one.currency, day))
      .reduce<bigint | null>(addNullable, 0n);
  const names = ageingSpans.map(([name]) => name);
  const ageing = names.map((name) => [name, converted((one) => one.ageing[name])] as const);
  const total = ageing.map(([, amount]) => amount).reduce<bigint | null>(addNullable, 0n);
  const amount = converted((one) => one.billed);
  return [
    {
      ...head,
      // The entries contain every range of days past due, so the cast is safe.
      ...(Object.fromEntries(ageing) as Record<AgeingSpan, bigint | null>),
      currency: conversion.currency,
      isConverted: true,
      missingRates: conversion.missing,
      total,
      daysSalesOutstanding: total === null || amount === null ? null : daysSalesOutstanding(total, amount),
    },
  ];
}

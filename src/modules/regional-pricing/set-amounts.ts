import type { Context } from '../../context.ts';
import { type FieldProblem, specificError, validationError } from '../../domain/errors.ts';
import type { Currency } from '../../domain/money.ts';
import { inTransaction } from '../../transaction.ts';
import { type PlanPriceRow, requireLockedPlan, requirePrice } from '../plans/store.ts';
import { currentOverrides, endOverrides, findBilled, type PriceOverrideRow, putOverride } from './store.ts';

/** Names a price of a plan: the plan by id or code, the price by id. */
export type PriceReference = { readonly planId: string; readonly priceId: string };

/** An amount in a currency: `price` in minor units, `includedBalance` at rate scale. */
export type RegionalPriceInput = {
  readonly currency: Currency;
  readonly price: number;
  readonly includedBalance?: number | null | undefined;
};

/** The amounts of a price in other currencies than USD, by currency. */
export type RegionalPricing = { readonly priceId: string; readonly overrides: readonly PriceOverrideRow[] };

/** Amounts that are not of a market, by currency. */
export const regionalOf = (rows: readonly PriceOverrideRow[]): PriceOverrideRow[] =>
  rows.filter(({ marketId }) => marketId === null).toSorted((a, b) => (a.currency < b.currency ? -1 : 1));

/** The problems of a list whose members must differ in a name, at the path `list.<index>.<name>`. */
export const repeated = (list: string, name: string, values: readonly string[]): FieldProblem[] =>
  values.flatMap((value, index) =>
    values.indexOf(value) === index
      ? []
      : [{ field: `${list}.${index}.${name}`, message: `${value} is named before.` }],
  );

/** The violation of naming US dollars where another currency is meant. */
export const usdProblem = (field: string): FieldProblem => ({
  field,
  message: "US dollars are the price's own currency.",
});

/** Throws `validation_error` when there are problems. */
export function throwProblems(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw validationError(problems);
}

/** Throws `validation_error` for a variant, which takes its amounts in other currencies from its base (CAT-16). */
export function rejectVariant(price: PlanPriceRow, field: string): void {
  if (price.inheritsFromPriceId === null) return;
  throw validationError([
    { field, message: 'A variant has the amounts of its base price in other currencies.' },
  ]);
}

/**
 * Sets amounts of a price in the named currencies; the other ones stay (CAT-23). Answers all of them. Throws `plan_not_found`,
 * `price_not_found`, `validation_error` for USD, a currency named twice and a variant.
 */
export const upsertRegionalPrices = (
  ctx: Context,
  input: PriceReference & { readonly overrides: readonly RegionalPriceInput[] },
): Promise<RegionalPricing> =>
  inTransaction(ctx, async (tx) => {
    const plan = await requireLockedPlan(tx, input.planId, 'planId');
    const price = await requirePrice(tx, plan.id, input.priceId);
    rejectVariant(price, 'priceId');
    const codes = input.overrides.map(({ currency }) => currency);
    const inUsd = codes.flatMap((code, index) =>
      code === 'usd' ? [usdProblem(`overrides.${index}.currency`)] : [],
    );
    throwProblems([...inUsd, ...repeated('overrides', 'currency', codes)]);
    for (const override of input.overrides) await putManual(tx, price, override);
    return { priceId: price.id, overrides: regionalOf(await currentOverrides(tx, [price.id])) };
  });

/** Sets the amount of a price in a currency. */
export const putManual = (
  ctx: Context,
  { id }: PlanPriceRow,
  { currency, price, includedBalance }: RegionalPriceInput,
): Promise<void> =>
  putOverride(ctx, {
    priceId: id,
    marketId: null,
    currency,
    amountMinor: BigInt(price),
    includedBalanceRate: big(includedBalance),
    autoSynced: false,
  });

/** Throws `price_in_use` while a billable subscription to the price, or to a variant of it, is in one of the currencies (CAT-24). */
async function rejectBilled(
  ctx: Context,
  price: PlanPriceRow,
  rows: readonly PriceOverrideRow[],
): Promise<void> {
  const used = await findBilled(
    ctx,
    price.id,
    rows.map(({ currency }) => currency),
  );
  if (used === null) return;
  throw specificError('price_in_use', 'billed', { values: { currency: used.currency }, param: 'priceId' });
}

/**
 * Removes all amounts of a price in other currencies; they are not derived again before the plan's currency is set again. Throws
 * `plan_not_found`, `price_not_found`, `price_in_use` (CAT-24).
 */
export const deleteRegionalPrices = (ctx: Context, reference: PriceReference): Promise<PlanPriceRow> =>
  inTransaction(ctx, async (tx) => {
    const plan = await requireLockedPlan(tx, reference.planId, 'planId');
    const price = await requirePrice(tx, plan.id, reference.priceId);
    const rows = regionalOf(await currentOverrides(tx, [price.id]));
    await rejectBilled(tx, price, rows);
    await endOverrides(
      tx,
      rows.map(({ id }) => id),
    );
    return price;
  });

/** A stored amount from a given one; null where none was given. */
export const big = (value: number | null | undefined): bigint | null =>
  value === undefined || value === null ? null : BigInt(value);

import { type FieldProblem, specificError, validationError } from '../../../domain/errors/errors.ts';
import type { Currency } from '../../../domain/money/money.ts';
import { byCurrency } from '../../../domain/rates/card.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { type PlanPriceRow, planRows, requirePrice } from '../plans/store.ts';
import { currentOverrides, endOverrides, findBilled, type PriceOverrideRow, putOverride } from './store.ts';

/** Reference to a price of a plan: the plan by ID or code, and the price by ID. */
export type PriceReference = { readonly planId: string; readonly priceId: string };

/** Amounts for a price in one currency. `price` is in minor units, and `includedBalance` is at rate scale. */
export type RegionalPriceInput = {
  readonly currency: Currency;
  readonly price: number;
  readonly includedBalance?: number | null | undefined;
};

/** Amounts for a price in currencies other than USD, sorted by currency. */
export type RegionalPricing = { readonly priceId: string; readonly overrides: readonly PriceOverrideRow[] };

/** Returns the amounts that don't belong to a market, sorted by currency. */
export const regionalOf = (rows: readonly PriceOverrideRow[]): PriceOverrideRow[] =>
  rows.filter(({ marketId }) => marketId === null).toSorted(byCurrency);

/** Returns a problem for each repeated value in a list. The problem's field is `list.<index>.<name>`. */
export const repeated = (list: string, name: string, values: readonly string[]): FieldProblem[] =>
  values.flatMap((value, index) =>
    values.indexOf(value) === index
      ? []
      : [{ field: `${list}.${index}.${name}`, message: `${value} is listed more than once.` }],
  );

/** Problem for US dollars in a field that requires another currency. */
export const usdProblem = (field: string): FieldProblem => ({
  field,
  message: "US dollars are the price's own currency. Choose another currency.",
});

/** Throws `validation_error` if there are problems. */
export function throwProblems(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw validationError(problems);
}

/** Throws `validation_error` if the price is a variant. In other currencies, variants use the amounts of their base price (CAT-16). */
export function rejectVariant(price: PlanPriceRow, field: string): void {
  if (price.inheritsFromPriceId === null) return;
  throw validationError([
    {
      field,
      message:
        'A variant inherits its amounts in other currencies from its base price. Set the amounts on the base price instead.',
    },
  ]);
}

/**
 * Sets the amounts for a price in the given currencies and keeps its amounts in other currencies (CAT-23). Returns all amounts. Throws
 * `plan_not_found`, `price_not_found`, and `validation_error` if a currency is USD or repeated, or if the price is a variant.
 */
export const upsertRegionalPrices = (
  ctx: Context,
  input: PriceReference & { readonly overrides: readonly RegionalPriceInput[] },
): Promise<RegionalPricing> =>
  inTransaction(ctx, async (tx) => {
    const plan = await planRows.lock(tx, input.planId, 'planId');
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

/** Sets the amount for a price in one currency manually. */
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

/** Throws `price_in_use` if a subscription that gives access uses the price or one of its variants in one of the currencies (CAT-24). */
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
 * Removes all of a price's amounts in other currencies. New amounts are derived only when the plan's currency is set again. Throws
 * `plan_not_found`, `price_not_found`, and `price_in_use` (CAT-24).
 */
export const deleteRegionalPrices = (ctx: Context, reference: PriceReference): Promise<PlanPriceRow> =>
  inTransaction(ctx, async (tx) => {
    const plan = await planRows.lock(tx, reference.planId, 'planId');
    const price = await requirePrice(tx, plan.id, reference.priceId);
    const rows = regionalOf(await currentOverrides(tx, [price.id]));
    await rejectBilled(tx, price, rows);
    await endOverrides(
      tx,
      rows.map(({ id }) => id),
    );
    return price;
  });

/** Converts an optional number to a `bigint`. Returns `null` if the value is `null` or `undefined`. */
const big = (value: number | null | undefined): bigint | null =>
  value === undefined || value === null ? null : BigInt(value);

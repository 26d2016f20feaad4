import type { Context } from '../../context.ts';
import type { FieldProblem } from '../../domain/errors.ts';
import { newId } from '../../infra/ids.ts';
import { nextSeq } from '../../transaction.ts';
import type { MarketPriceInput } from './market-prices.ts';
import type { PlanPriceRow } from './service.ts';

// What adding and changing a price have in common.

/** Amounts and options of a price; `price` in US cents, `includedBalance` at rate scale, both included amounts per consumption window (CAT-15). */
export type PriceOptions = {
  readonly price?: number | null | undefined;
  readonly trialDays?: number | null | undefined;
  readonly isDefault?: boolean | null | undefined;
  readonly includedBalance?: number | null | undefined;
  readonly includedCredits?: number | null | undefined;
  readonly metadata?: Record<string, unknown> | null | undefined;
  readonly marketPrices?: readonly MarketPriceInput[] | null | undefined;
};

const baseOnly = ['price', 'trialDays', 'isDefault', 'includedBalance', 'includedCredits'] as const;

/** What is given for a variant although it inherits it (CAT-16). */
export const inheritedProblems = (input: PriceOptions): FieldProblem[] =>
  baseOnly
    .filter((field) => input[field] !== undefined && input[field] !== null)
    .map((field) => ({ field, message: `${field} does not apply to a variant, which inherits it.` }));

/** A stored amount from a given one; null where none was given. */
export const big = (value: number | null | undefined): bigint | null => (value === undefined || value === null ? null : BigInt(value));

/** What of a price its versions keep. */
export const amountsOf = ({ priceMinor, trialDays, includedBalanceRate, includedCredits }: PlanPriceRow) => ({
  priceMinor,
  trialDays,
  includedBalanceRate,
  includedCredits,
});

/** Adds the version of the amounts that is valid from `validFrom` on (CAT-52, protocols B8). */
export async function addVersion(context: Context, price: PlanPriceRow, validFrom: Date): Promise<void> {
  await context.db.planPriceVersion.create({
    data: { id: newId('ppv'), seq: await nextSeq(context), priceId: price.id, validFrom, ...amountsOf(price) },
  });
}

/** Takes the default mark from whichever price of the plan has it. The plan is locked. */
export async function clearDefault(context: Context, planId: string): Promise<void> {
  await context.db.planPrice.update({ where: { planId, isDefault: true }, data: { isDefault: false, updatedAt: context.clock.now() } });
}

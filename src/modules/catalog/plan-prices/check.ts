import type { FieldProblem } from '../../../domain/errors/errors.ts';
import type { IncludedUnits } from '../../../domain/pricing/catalog.ts';
import type { BillingInterval } from '../../../domain/rows/enums.ts';
import type { MarketPriceInput } from '../regional-pricing/set-market-prices.ts';

// Validation shared by the operations that add and update a plan price.

/**
 * Amounts and options of a price. `price` is in US cents, and `includedBalance` is in ten-thousandths of a US dollar. The included balance
 * and credits apply per usage window (CAT-15).
 */
export type PriceOptions = {
  readonly price?: number | null | undefined;
  readonly trialDays?: number | null | undefined;
  readonly isDefault?: boolean | null | undefined;
  readonly includedBalance?: number | null | undefined;
  readonly includedCredits?: number | null | undefined;
  /** Minimum spend per billing period in US cents. */
  readonly minimumSpend?: number | null | undefined;
  /** Included amounts of other custom units. Set with the terms of a pool. */
  readonly includedUnits?: IncludedUnits | undefined;
  readonly metadata?: Record<string, unknown> | null | undefined;
  readonly marketPrices?: readonly MarketPriceInput[] | null | undefined;
};

const baseOnly = [
  'price',
  'trialDays',
  'isDefault',
  'includedBalance',
  'includedCredits',
  'minimumSpend',
] as const;

/** Returns one problem for each inherited field that a variant sets (CAT-16). */
export const inheritedProblems = (input: PriceOptions): FieldProblem[] =>
  baseOnly
    .filter((field) => input[field] !== undefined && input[field] !== null)
    .map((field) => ({
      field,
      message: `${field} can't be set on a variant because it is inherited from the base price.`,
    }));

/** Returns a problem if a one-time price sets a minimum spend, because it has no billing period that ends. */
export const minimumProblems = (
  { minimumSpend }: Pick<PriceOptions, 'minimumSpend'>,
  billingInterval: BillingInterval,
): FieldProblem[] =>
  billingInterval === 'one_time' && minimumSpend !== undefined && minimumSpend !== null
    ? [{ field: 'minimumSpend', message: "A one-time price can't have a minimum spend." }]
    : [];

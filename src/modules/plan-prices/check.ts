import type { FieldProblem } from '../../domain/errors.ts';
import type { MarketPriceInput } from '../regional-pricing/set-market-prices.ts';

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

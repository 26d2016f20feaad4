import { isSameList } from '../rates/card.ts';
import { isCheaper } from '../rates/held.ts';
import { isCustom, moneyPool, type Pool } from './pools.ts';
import type { FeatureTerms } from './terms.ts';

// Determines which terms an edit of a plan's feature changes, and when each change applies to subscribers
// (CAT-49, CAT-50).

/** Editable term of a feature (CAT-36). */
export type TermName =
  | 'enabled'
  | 'included_amount'
  | 'unlimited'
  | 'overage_enabled'
  | 'unit_price'
  | 'credits_per_unit';

/**
 * Changed term, the time from which the change applies to existing subscribers, and whether the change is
 * better or worse for them.
 */
export type TermChange = {
  readonly term: TermName;
  readonly when: 'immediately' | 'at_renewal' | 'at_next_period';
  readonly isBetter: boolean;
};

/** Terms that have no effect on unlimited features (CAT-34). */
const ineffectiveIfUnlimited: readonly TermName[] = ['included_amount', 'overage_enabled', 'unit_price'];

/**
 * Returns a change to a term. The change applies immediately if it's better for subscribers, otherwise at
 * `later`.
 */
const better = (
  term: TermName,
  isBetter: boolean,
  later: 'at_renewal' | 'at_next_period' = 'at_renewal',
): TermChange => ({
  term,
  when: isBetter ? 'immediately' : later,
  isBetter,
});

/** Returns true if the feature has the same rate in both terms. Stored terms have at most one rate. */
function hasSameRate(before: FeatureTerms, after: FeatureTerms): boolean {
  const [rate, next] = [before.rates?.[0], after.rates?.[0]];
  return rate === undefined || next === undefined ? rate === next : isSameList(rate, next);
}

/**
 * Returns the change to a unit price or to the credits per unit. A newly set unit price applies at renewal, together with
 * the overage. On balance plans, it applies immediately.
 */
function rateChange(before: FeatureTerms, after: FeatureTerms, pool: Pool | null): TermChange {
  const [rate, next] = [before.rates?.[0], after.rates?.[0]];
  const term = isCustom(pool) ? 'credits_per_unit' : 'unit_price';
  if (rate === undefined)
    return { term, when: pool === null ? 'at_renewal' : 'immediately', isBetter: false };
  const isBetter = next === undefined || isCheaper(rate, next);
  return better(term, isBetter, isCustom(pool) ? 'at_renewal' : 'at_next_period');
}

/**
 * Returns the changed terms in a fixed order. Omits terms that have no effect because the feature becomes
 * unlimited. `pool` is the pool from which usage is deducted; `null` if units are invoiced.
 */
export function termChanges(
  before: FeatureTerms,
  after: FeatureTerms,
  pool: Pool | null,
): readonly TermChange[] {
  const changes: TermChange[] = [];
  if (before.enabled !== after.enabled) changes.push(better('enabled', after.enabled));
  if (before.includedAmount !== after.includedAmount)
    changes.push(better('included_amount', after.includedAmount > before.includedAmount));
  if (before.unlimited !== after.unlimited) changes.push(better('unlimited', after.unlimited));
  if (before.overageEnabled !== after.overageEnabled && pool !== moneyPool)
    changes.push({ term: 'overage_enabled', when: 'at_renewal', isBetter: after.overageEnabled });
  if (!hasSameRate(before, after)) changes.push(rateChange(before, after, pool));
  return changes.filter(({ term }) => !after.unlimited || !ineffectiveIfUnlimited.includes(term));
}

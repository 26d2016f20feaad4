import type { FeatureTerms } from './terms.ts';

// Which terms of a plan's feature an edit changes, and when subscribers feel each (CAT-49, CAT-50).

/** A term of a feature that can be edited in place (CAT-36). */
export type TermName =
  | 'enabled'
  | 'included_amount'
  | 'unlimited'
  | 'overage_enabled'
  | 'unit_price'
  | 'credits_per_unit';

/** A changed term: when those who subscribe already feel it, and whether it is better or worse for them. */
export type TermChange = {
  readonly term: TermName;
  readonly when: 'immediately' | 'at_renewal' | 'at_next_period';
  readonly isBetter: boolean;
};

/** Terms that mean nothing where a feature is unlimited (CAT-34). */
const meaninglessUnlimited: readonly TermName[] = ['included_amount', 'overage_enabled', 'unit_price'];

/** A change that running periods take over where it is better, and that waits for `later` where it is worse. */
const better = (
  term: TermName,
  isBetter: boolean,
  later: 'at_renewal' | 'at_next_period' = 'at_renewal',
): TermChange => ({
  term,
  when: isBetter ? 'immediately' : later,
  isBetter,
});

/** A new unit price. A first one is sold with the overage, which waits for the renewal; on balance plans it counts immediately. */
function unitPriceChange(before: FeatureTerms, after: FeatureTerms, isFromBalance: boolean): TermChange {
  if (before.unitPriceRate === null)
    return { term: 'unit_price', when: isFromBalance ? 'immediately' : 'at_renewal', isBetter: false };
  return better('unit_price', (after.unitPriceRate ?? 0n) < before.unitPriceRate, 'at_next_period');
}

/**
 * The terms an edit changes, in the order they are declared; those that mean nothing because the feature is unlimited afterwards are left out.
 * `isFromBalance` says that units are taken from a balance.
 */
export function termChanges(
  before: FeatureTerms,
  after: FeatureTerms,
  isFromBalance: boolean,
): readonly TermChange[] {
  const changes: TermChange[] = [];
  if (before.enabled !== after.enabled) changes.push(better('enabled', after.enabled));
  if (before.includedAmount !== after.includedAmount)
    changes.push(better('included_amount', after.includedAmount > before.includedAmount));
  if (before.unlimited !== after.unlimited) changes.push(better('unlimited', after.unlimited));
  if (before.overageEnabled !== after.overageEnabled && !isFromBalance)
    changes.push({ term: 'overage_enabled', when: 'at_renewal', isBetter: after.overageEnabled });
  if (before.unitPriceRate !== after.unitPriceRate)
    changes.push(unitPriceChange(before, after, isFromBalance));
  if (before.creditsPerUnit !== after.creditsPerUnit)
    changes.push(better('credits_per_unit', (after.creditsPerUnit ?? 0n) < (before.creditsPerUnit ?? 0n)));
  return changes.filter(({ term }) => !after.unlimited || !meaninglessUnlimited.includes(term));
}

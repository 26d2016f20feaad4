import { isValidCard } from './card-draft.ts';
import { isValidDerived } from './derived-draft.ts';
import { withBoundsOf } from './override-draft.ts';
import type { FeatureDraft } from './plan-draft.ts';
import { isValidRate, type RateDraft } from './rate-draft.ts';

const isInvalid = (rate: RateDraft | null, decimals: number): boolean =>
  rate !== null && !isValidRate(rate, decimals);

/** Returns true if the rate or the cost of a feature can't be saved. */
export const hasRateProblem = ({ rate, overrides, derived, card, cost, decimals }: FeatureDraft): boolean => {
  const value = cost?.value ?? null;
  return (
    isInvalid(rate, decimals) ||
    (rate !== null && overrides.some((one) => isInvalid(withBoundsOf(rate, one.rate), decimals))) ||
    (card !== null && !isValidCard(card)) ||
    (derived !== null && !isValidDerived(derived)) ||
    (value !== 'ai_models' && isInvalid(value, decimals)) ||
    (derived !== null && cost !== null && cost.value === null)
  );
};

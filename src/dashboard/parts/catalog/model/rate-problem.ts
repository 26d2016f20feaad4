import { isValidCard } from './card-draft.ts';
import { isValidDerived } from './derived-draft.ts';
import { withBoundsOf } from './override-draft.ts';
import type { FeatureDraft } from './plan-draft.ts';
import { isValidRate, type RateDraft } from './rate-draft.ts';

const isInvalid = (rate: RateDraft | null): boolean => rate !== null && !isValidRate(rate);

/** Returns true if the rate or the cost of a feature can't be saved. */
export const hasRateProblem = ({ rate, overrides, derived, card, cost }: FeatureDraft): boolean => {
  const value = cost?.value ?? null;
  return (
    isInvalid(rate) ||
    (rate !== null && overrides.some((one) => isInvalid(withBoundsOf(rate, one.rate)))) ||
    (card !== null && !isValidCard(card)) ||
    (derived !== null && !isValidDerived(derived)) ||
    (value !== 'ai_models' && isInvalid(value)) ||
    (derived !== null && cost !== null && cost.value === null)
  );
};

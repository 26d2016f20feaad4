import { holdingTier, type PriceModel, tierParts, unusedAmounts } from '../parts.ts';

/** Charges the same price for each unit. Has one tier. */
export const perUnit: PriceModel = {
  isMonotone: true,
  parts: (rate, quantity) => tierParts(rate, holdingTier(rate, quantity)),
  problems: (rate) => [
    ...(rate.tiers.length === 1
      ? []
      : [{ field: 'tiers', message: 'must contain exactly one tier if the model is per_unit' }]),
    ...unusedAmounts(rate, 'flat', 'per_unit'),
  ],
};

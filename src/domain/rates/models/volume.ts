import { holdingTier, type PriceModel, tierParts } from '../parts.ts';

/** Charges all units at the price of the tier that contains the quantity, plus the flat amount of that tier. */
export const volume: PriceModel = {
  isMonotone: false,
  parts: (rate, quantity) => tierParts(rate, holdingTier(rate, quantity)),
  problems: () => [],
};

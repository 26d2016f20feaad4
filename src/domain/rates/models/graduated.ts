import { enteredTiers, type PriceModel, tierParts } from '../parts.ts';

/** Charges the units in each tier at the tier's price, plus the flat amount of each tier that the quantity reaches. */
export const graduated: PriceModel = {
  isMonotone: true,
  parts: (rate, quantity) => enteredTiers(rate, quantity).flatMap((entered) => tierParts(rate, entered)),
  problems: () => [],
};

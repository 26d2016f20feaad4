import { enteredTiers, type PriceModel, tierParts } from '../parts.ts';

/** Charges the units inside each tier at the tier's price, and the flat amount of each tier that the quantity enters. */
export const graduated: PriceModel = {
  isMonotone: true,
  parts: (rate, quantity) => enteredTiers(rate, quantity).flatMap((entered) => tierParts(rate, entered)),
  problems: () => [],
};

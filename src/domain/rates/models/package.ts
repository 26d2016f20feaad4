import { exactOf } from '../decimal.ts';
import { dividedBy, roundedUp, whole } from '../exact.ts';
import { enteredTiers, type PriceModel, tierParts } from '../parts.ts';

/**
 * Charges for packages of `per` units, including a package that is only partly used. If the rate has several tiers,
 * the packages in each tier have the tier's price.
 */
export const packages: PriceModel = {
  isMonotone: true,
  parts: (rate, quantity) =>
    enteredTiers(rate, whole(roundedUp(dividedBy(quantity, rate.per)) * rate.per)).flatMap((entered) =>
      tierParts(rate, entered, 'package'),
    ),
  problems: ({ per, tiers }) =>
    tiers.flatMap(({ upTo }, index) => {
      if (upTo === null) return [];
      const bound = exactOf(upTo);
      const isMultiple = bound.numerator % (bound.denominator * per) === 0n;
      return isMultiple
        ? []
        : [
            {
              field: `tiers.${index}.upTo`,
              message: `must be a multiple of \`per\` (${per}) if the model is package`,
            },
          ];
    }),
};

import { exactOf } from '../decimal.ts';
import { zero } from '../exact.ts';
import { holdingTier, type PriceModel, unusedAmounts } from '../parts.ts';

/** Charges the flat amount of the tier that contains the quantity. */
export const stairs: PriceModel = {
  isMonotone: false,
  parts: (rate, quantity) => {
    const { tier, index, units } = holdingTier(rate, quantity);
    return [{ kind: 'stairs', tier: index, units, unitAmount: zero, amount: exactOf(tier.flat) }];
  },
  problems: (rate) => unusedAmounts(rate, 'amount', 'stairs'),
};

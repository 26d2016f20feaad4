import { minorToRate } from '../money/money.ts';
import { type Explanation, recompute } from '../rows/explanation.ts';
import { overageLines } from './feature-overage.ts';
import { emptyLine, type LineDetails, type LineDraft } from './line.ts';

/** Returns the invoice line with an add-on's price for a full or partial billing period. */
export function addonLine(description: string, price: Explanation, currency: string): LineDraft {
  const amount = recompute(price);
  return {
    ...emptyLine,
    lineType: 'addon_base',
    chargeType: 'advance',
    description,
    quantity: 1n,
    unitAmountRate: minorToRate(amount, currency),
    amount,
    explanation: price,
  };
}

/**
 * Returns the lines of add-ons, sorted by name. Each add-on's price for the new period is followed by the
 * charges for its feature (SUB-72, BIL-13).
 */
export const addonBase = ({ addons, currency }: LineDetails): readonly LineDraft[] =>
  addons.flatMap(({ name, base, usage }) => [
    ...(base === null ? [] : [addonLine(name, base, currency)]),
    ...(usage === null ? [] : overageLines(usage, currency)),
  ]);

import { minorToRate } from '../money.ts';
import { type Explanation, recompute } from './explanation.ts';
import { overageLine } from './feature-overage.ts';
import { emptyLine, type LineDetails, type LineDraft } from './line.ts';

/** The line of an add-on's price for a billing period, or for what is left of one. */
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
 * Add-ons by name: the full price of the period that opens, then what the add-on's own feature owes (SUB-72,
 * BIL-13).
 */
export const addonBase = ({ addons, currency }: LineDetails): readonly LineDraft[] =>
  addons.flatMap(({ name, base, usage }) => [
    ...(base === null ? [] : [addonLine(name, base, currency)]),
    ...(usage === null ? [] : [overageLine(usage, currency)]),
  ]);

import { overageUnits } from '../consumption/window.ts';
import { minorToRate, rateToMinor } from '../money.ts';
import { emptyLine, type LineDraft, type LineFacts, type UsageFacts } from './line.ts';

/** Units of one metered feature beyond the included ones of the window that ended (CON-16). */
export function overageLine({ feature, terms, total }: UsageFacts, currency: string): LineDraft {
  const units = overageUnits(terms, total);
  const price = terms.unitPriceRate ?? 0n;
  return {
    ...emptyLine,
    lineType: 'feature_overage',
    chargeType: 'standard',
    description: `${feature.name}: ${units} beyond ${terms.includedAmount} included`,
    featureName: feature.name,
    quantity: units,
    unitAmountRate: price,
    amount: rateToMinor(units * price, currency),
    includedAmount: terms.includedAmount,
    usedAmount: total,
    overageAmount: units,
  };
}

/** What the metered features of the plan owe. */
export const featureOverage = ({ usage, currency }: LineFacts): readonly LineDraft[] => usage.map((one) => overageLine(one, currency));

/** A balance below 0 at the end of a window, laid on the features that consumed last (CON-27). */
export const balanceOverage = ({ deficits, currency }: LineFacts): readonly LineDraft[] =>
  deficits.map(({ featureName, amountMinor }) => ({
    ...emptyLine,
    lineType: 'balance_overage',
    chargeType: 'standard',
    description: featureName === null ? 'Use beyond the balance' : `${featureName}: use beyond the balance`,
    featureName,
    quantity: 1n,
    unitAmountRate: minorToRate(amountMinor, currency),
    amount: amountMinor,
  }));

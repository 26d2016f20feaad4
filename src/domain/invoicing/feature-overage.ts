import { minorPerUnit, minorToRate, rateToMinor } from '../money/money.ts';
import { explain } from '../rows/explanation.ts';
import { freeUnits, overageUnits } from '../usage/window.ts';
import { emptyLine, type LineDetails, type LineDraft, type UsageDetails } from './line.ts';

/** Returns the line for the overage of a metered feature in the window that ended (CON-16). */
export function overageLine({ feature, terms, use, window }: UsageDetails, currency: string): LineDraft {
  const units = overageUnits(terms, use);
  const free = freeUnits(terms, use);
  const price = terms.unitPriceRate ?? 0n;
  return {
    ...emptyLine,
    lineType: 'feature_overage',
    chargeType: 'standard',
    description: `${feature.name}: ${units} beyond ${free} included`,
    featureName: feature.name,
    quantity: units,
    unitAmountRate: price,
    amount: rateToMinor(units * price, currency),
    includedAmount: free,
    usedAmount: use.total,
    overageAmount: units,
    periodStart: window.start,
    periodEnd: window.end,
    explanation: explain('CON-16', 'units', { units, rate: price, minor_per_unit: minorPerUnit(currency) }),
  };
}

export const featureOverage = ({ usage, currency }: LineDetails): readonly LineDraft[] =>
  usage.map((one) => overageLine(one, currency));

/**
 * Returns the lines for a negative balance at the end of a window, distributed over the features that caused
 * it (CON-27).
 */
export function balanceOverage({ deficits, currency }: LineDetails): readonly LineDraft[] {
  const shared = {
    total_deficit: deficits.reduce((sum, { rate }) => sum + rate, 0n),
    minor_per_unit: minorPerUnit(currency),
  };
  let billed = 0n;
  return deficits.map(({ featureName, rate, amountMinor, window }, index) => {
    const isLast = index === deficits.length - 1;
    const explanation = isLast
      ? explain('CON-27', 'deficit_rest', { ...shared, billed })
      : explain('CON-27', 'deficit', { ...shared, deficit: rate, billed });
    billed += amountMinor;
    return {
      ...emptyLine,
      lineType: 'balance_overage',
      chargeType: 'standard',
      description: featureName === null ? 'Use beyond the balance' : `${featureName}: use beyond the balance`,
      featureName,
      quantity: 1n,
      unitAmountRate: minorToRate(amountMinor, currency),
      amount: amountMinor,
      periodStart: window.start,
      periodEnd: window.end,
      explanation,
    };
  });
}

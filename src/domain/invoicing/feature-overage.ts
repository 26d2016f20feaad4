import { minorPerUnit, minorToRate } from '../money/money.ts';
import { exactText, ratio } from '../rates/exact.ts';
import { perUnitRate } from '../rates/held.ts';
import { explain } from '../rows/explanation.ts';
import { ratesPerUnit, shownUnits, unitScale } from '../usage/metered-terms.ts';
import { freeUnits, overageUnits, overageUse } from '../usage/window.ts';
import { emptyLine, type LineDetails, type LineDraft, type UsageDetails } from './line.ts';
import { pricedLines } from './rate-lines.ts';

/**
 * Returns the lines for the overage of a metered feature in the ended usage window (CON-16, PRM-105). A feature
 * without a price costs 0.
 */
export function overageLines(
  { feature, terms, use, window }: UsageDetails,
  currency: string,
): readonly LineDraft[] {
  const excess = overageUnits(terms, use);
  const free = freeUnits(terms, use);
  const scale = unitScale(terms);
  return pricedLines(ratesPerUnit(terms) ?? [perUnitRate(0n)], excess, {
    name: feature.name,
    rule: 'CON-16',
    plainDescription: `${feature.name}: ${exactText(ratio(excess, scale))} beyond ${exactText(ratio(free, scale))} included`,
    currency,
    scale,
    use: use.cells === undefined || excess === 0n ? undefined : overageUse(terms, use),
  }).map(({ units, ...priced }) => ({
    ...emptyLine,
    ...priced,
    lineType: 'feature_overage',
    chargeType: 'standard',
    featureName: feature.name,
    includedAmount: shownUnits(terms, free),
    usedAmount: shownUnits(terms, use.total),
    overageAmount: units,
    periodStart: window.start,
    periodEnd: window.end,
  }));
}

export const featureOverage = ({ usage, currency }: LineDetails): readonly LineDraft[] =>
  usage.flatMap((one) => overageLines(one, currency));

/**
 * Returns the lines for a negative balance at the end of a usage window, distributed over the features that caused the
 * negative balance (CON-27).
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

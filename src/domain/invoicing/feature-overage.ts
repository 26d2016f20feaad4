import { minorPerUnit, minorToRate } from '../money/money.ts';
import { exactText, ratio } from '../rates/exact.ts';
import { perUnitRate } from '../rates/held.ts';
import { type Explanation, explain } from '../rows/explanation.ts';
import { ratesPerUnit, shownUnits, unitScale } from '../usage/metered-terms.ts';
import { freeUnits, overageUnits, overageUse } from '../usage/window.ts';
import {
  type DeficitDetails,
  emptyLine,
  type LineDetails,
  type LineDraft,
  type UsageDetails,
} from './line.ts';
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

/** Explains the charge for a part of a negative balance. */
function explainDeficit(
  { amount, priced }: DeficitDetails,
  totalDeficit: bigint,
  billed: bigint,
  isLast: boolean,
  currency: string,
): Explanation {
  const perUnit = { minor_per_unit: minorPerUnit(currency) };
  if (priced !== undefined) return explain('PRM-143', 'tier', { ...priced, ...perUnit });
  const shared = { total_deficit: totalDeficit, ...perUnit, billed };
  return isLast
    ? explain('CON-27', 'deficit_rest', shared)
    : explain('CON-27', 'deficit', { ...shared, deficit: amount });
}

/**
 * Returns the lines for negative balances at the end of a usage window, distributed over the features that caused them
 * (CON-27, PRM-143).
 */
export function balanceOverage({ deficits, currency }: LineDetails): readonly LineDraft[] {
  const money = deficits.filter(({ priced }) => priced === undefined);
  const total = money.reduce((sum, { amount }) => sum + amount, 0n);
  let billed = 0n;
  return deficits.map((deficit) => {
    const { featureName, amountMinor, window, priced } = deficit;
    const explanation = explainDeficit(deficit, total, billed, deficit === money.at(-1), currency);
    if (priced === undefined) billed += amountMinor;
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

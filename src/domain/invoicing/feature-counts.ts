import { maxOf, minorPerUnit, minorToRate } from '../money/money.ts';
import type { FeatureRow } from '../pricing/catalog.ts';
import { heldUnitPrice } from '../rates/held.ts';
import { explain } from '../rows/explanation.ts';
import type { TrueUp } from '../usage/counts.ts';
import type { UsageTerms } from '../usage/terms.ts';
import { type CountDetails, emptyLine, type LineDetails, type LineDraft, type RiseDetails } from './line.ts';
import { pricedLines } from './rate-lines.ts';

const lineTypeOf = ({ type }: FeatureRow) =>
  type === 'seats' ? ('feature_seats' as const) : ('feature_quota' as const);

/**
 * Returns the quantity and the explanation of a charge for added units. With a plain unit price, the quantity is the
 * number of units. With other rates, the quantity is 1 and the charge is the increase in the price (PRM-3).
 */
function riseFields(
  { rates }: UsageTerms,
  { units, rise, days, amountMinor }: Omit<TrueUp, 'on'>,
  totalDays: bigint,
  currency: string,
): Pick<LineDraft, 'quantity' | 'unitAmountRate' | 'explanation'> {
  const shared = { minor_per_unit: minorPerUnit(currency), days, total_days: totalDays };
  const rate = rates === null ? null : heldUnitPrice(rates);
  if (rate !== null)
    return {
      quantity: units,
      unitAmountRate: rate,
      explanation: explain('CON-38', 'units_for_days', { units, rate, ...shared }),
    };
  return {
    quantity: 1n,
    unitAmountRate: minorToRate(amountMinor, currency),
    explanation: explain('PRM-3', 'rise_for_days', {
      rise: rise.numerator,
      scale: rise.denominator,
      ...shared,
    }),
  };
}

/**
 * Returns a line for each day when the number of seats or quota units rose above the number already included or charged
 * (CON-38).
 */
const riseLines = ({ feature, terms, rises, totalDays, until }: RiseDetails, currency: string): LineDraft[] =>
  rises.map(({ on, units, rise, days, amountMinor }) => ({
    ...emptyLine,
    lineType: lineTypeOf(feature),
    chargeType: 'true_up',
    description: `${feature.name}: ${units} more from ${on}, for ${days} ${days === 1n ? 'day' : 'days'}`,
    featureName: feature.name,
    ...riseFields(terms, { units, rise, days, amountMinor }, totalDays, currency),
    amount: amountMinor,
    periodStart: new Date(`${on}T00:00:00.000Z`),
    periodEnd: until,
  }));

/**
 * Returns the lines for units above the included number, charged in advance for the new period (CON-37). Empty
 * if the terms don't allow paid overage.
 */
function advanceLines({ feature, terms, count }: CountDetails, currency: string): LineDraft[] {
  if (!terms.enabled || terms.unlimited || !terms.allowsOverage || terms.rates === null) return [];
  const excess = maxOf(0n, count - terms.includedAmount);
  return pricedLines(terms.rates, excess, {
    name: feature.name,
    rule: 'CON-37',
    plainDescription: `${feature.name}: ${excess} beyond ${terms.includedAmount} included`,
    currency,
  }).map(({ units: _units, ...priced }) => ({
    ...emptyLine,
    ...priced,
    lineType: lineTypeOf(feature),
    chargeType: 'advance',
    featureName: feature.name,
  }));
}

const countLines =
  (type: 'seats' | 'quota') =>
  ({ rises, counts, currency }: LineDetails): readonly LineDraft[] => {
    const features = new Map(
      [...rises, ...counts]
        .filter(({ feature }) => feature.type === type)
        .map(({ feature }) => [feature.code, feature]),
    );
    return [...features.values()]
      .sort((a, b) => (a.code < b.code ? -1 : 1))
      .flatMap(({ id }) => [
        ...rises
          .filter(({ feature }) => feature.id === id)
          .flatMap((details) => riseLines(details, currency)),
        ...counts
          .filter(({ feature }) => feature.id === id)
          .flatMap((details) => advanceLines(details, currency)),
      ]);
  };

/** Lines for seat features. For each feature, the charges for daily increases precede the advance charge. */
export const featureSeats = countLines('seats');

/** Lines for quota features. For each feature, the charges for daily increases precede the advance charge. */
export const featureQuota = countLines('quota');

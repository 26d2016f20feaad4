import { maxOf, minorPerUnit, rateToMinor } from '../money/money.ts';
import type { FeatureRow } from '../pricing/catalog.ts';
import { explain } from '../rows/explanation.ts';
import { type CountDetails, emptyLine, type LineDetails, type LineDraft, type RiseDetails } from './line.ts';

const lineTypeOf = ({ type }: FeatureRow) =>
  type === 'seats' ? ('feature_seats' as const) : ('feature_quota' as const);

/**
 * Returns a line for each day on which the count rose above the units that were included or already charged
 * (CON-38).
 */
const riseLines = ({ feature, terms, rises, totalDays, until }: RiseDetails, currency: string): LineDraft[] =>
  rises.map(({ on, units, days, amountMinor }) => ({
    ...emptyLine,
    lineType: lineTypeOf(feature),
    chargeType: 'true_up',
    description: `${feature.name}: ${units} more from ${on}, for ${days} ${days === 1n ? 'day' : 'days'}`,
    featureName: feature.name,
    quantity: units,
    unitAmountRate: terms.unitPriceRate ?? 0n,
    amount: amountMinor,
    periodStart: new Date(`${on}T00:00:00.000Z`),
    periodEnd: until,
    explanation: explain('CON-38', 'units_for_days', {
      units,
      rate: terms.unitPriceRate ?? 0n,
      minor_per_unit: minorPerUnit(currency),
      days,
      total_days: totalDays,
    }),
  }));

/**
 * Returns the line for units above the included number, charged in advance for the new period (CON-37). Empty
 * if the terms don't allow paid overage.
 */
function advanceLines({ feature, terms, count }: CountDetails, currency: string): LineDraft[] {
  if (!terms.enabled || terms.unlimited || !terms.allowsOverage || terms.unitPriceRate === null) return [];
  const excess = maxOf(0n, count - terms.includedAmount);
  return [
    {
      ...emptyLine,
      lineType: lineTypeOf(feature),
      chargeType: 'advance',
      description: `${feature.name}: ${excess} beyond ${terms.includedAmount} included`,
      featureName: feature.name,
      quantity: excess,
      unitAmountRate: terms.unitPriceRate,
      amount: rateToMinor(excess * terms.unitPriceRate, currency),
      explanation: explain('CON-37', 'units', {
        units: excess,
        rate: terms.unitPriceRate,
        minor_per_unit: minorPerUnit(currency),
      }),
    },
  ];
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

/** Lines for seats features. For each feature, the charges for daily increases precede the advance charge. */
export const featureSeats = countLines('seats');

/** Lines for quota features. For each feature, the charges for daily increases precede the advance charge. */
export const featureQuota = countLines('quota');

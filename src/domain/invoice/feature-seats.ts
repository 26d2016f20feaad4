import { rateToMinor } from '../money.ts';
import { excessOf } from '../pricing/terms.ts';
import { emptyLine, type LineDraft, type LineFacts } from './line.ts';

/** Seats beyond the included ones, charged in advance for the period that opens (CON-37); nothing without effective overage. */
export const featureSeatsAdvance = ({ seats, currency }: LineFacts): readonly LineDraft[] =>
  seats.flatMap(({ feature, terms, count }) => {
    if (!terms.enabled || !terms.overageEnabled || terms.unitPriceRate === null) return [];
    const excess = excessOf(terms, count);
    const line: LineDraft = {
      ...emptyLine,
      lineType: 'feature_seats',
      chargeType: 'advance',
      description: `${feature.name}: ${excess} beyond ${terms.includedAmount} included`,
      featureName: feature.name,
      quantity: excess,
      unitAmountRate: terms.unitPriceRate,
      amount: rateToMinor(excess * terms.unitPriceRate, currency),
    };
    return [line];
  });

import { type HeldRate, perUnitRate } from '../../src/domain/rates/held.ts';
import { type RateDocument, rateDocument } from '../../src/domain/rates/rate.ts';

/** Stored rate with one price per unit, in ten-thousandths (10,000 = 1.00). */
export const unitRate = (price: bigint): RateDocument => rateDocument(perUnitRate(price));

/** Held rate with one price per unit, in ten-thousandths (10,000 = 1.00). */
export const unitRates = (price: bigint): HeldRate => [perUnitRate(price)];

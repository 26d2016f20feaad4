import { type HeldRate, perUnitRate } from '../../src/domain/rates/held.ts';
import { type RateDocument, rateDocument } from '../../src/domain/rates/rate.ts';

/** Returns a rate with one price per unit, as it's stored. The price is in ten-thousandths (10,000 = 1.00). */
export const unitRate = (price: bigint): RateDocument => rateDocument(perUnitRate(price));

/** Returns a subscription's rate with one price per unit. The price is in ten-thousandths (10,000 = 1.00). */
export const unitRates = (price: bigint): HeldRate => [perUnitRate(price)];

/** Held rate with a whole number of credits per unit. */
export const creditRates = (credits: bigint): HeldRate => [perUnitRate(credits, 0)];

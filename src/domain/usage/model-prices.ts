// Imports AI models and their prices from a price source into the catalog (CON-32a).
import { divideRounded } from '../money/money.ts';
import type { TokenPrices } from './tokens.ts';

/**
 * AI model in a price source. The ID is `provider/name`. Prices are in US dollars at rate scale per million
 * tokens.
 */
export type ListedModel = {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly prices: TokenPrices;
};

/** Fields of a catalog model that are compared with the imported list. */
export type KnownModel = ListedModel & { readonly isActive: boolean };

/**
 * Changes to the catalog: models to write, models among them with new prices, and IDs that are no longer
 * listed.
 */
export type ModelChanges = {
  readonly written: readonly ListedModel[];
  readonly repriced: readonly ListedModel[];
  readonly goneIds: readonly string[];
};

/** Powers of ten for converting a source's prices to rate scale per million tokens. */
export const priceUnits = { perToken: 10, perMillionTokens: 4 } as const;

/** Maximum number of digits in a price, because longer numbers would use too much memory. */
const decimalPattern = /^(\d{1,30})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * Multiplies a decimal string in US dollars by a power of ten and rounds it half up to a whole rate
 * (CON-32a). Calculates without floating-point numbers, so the result is exact. `null` if the string isn't a
 * decimal number, or the rate is negative or above 2^53−1.
 */
export function rateOfDecimal(text: string, powerOfTen: number): bigint | null {
  const [, whole, fraction = '', exponent = '0'] = decimalPattern.exec(text) ?? [];
  if (whole === undefined) return null;
  const digits = BigInt(whole + fraction);
  const shift = Number(exponent) - fraction.length + powerOfTen;
  const rate = shift >= 0 ? digits * 10n ** BigInt(shift) : divideRounded(digits, 10n ** BigInt(-shift));
  return rate <= BigInt(Number.MAX_SAFE_INTEGER) ? rate : null;
}

const samePrices = (a: TokenPrices, b: TokenPrices): boolean =>
  a.input === b.input &&
  a.output === b.output &&
  a.cacheRead === b.cacheRead &&
  a.cacheWrite === b.cacheWrite;

/**
 * Compares the catalog with an imported list of models (CON-32a). For new models and changed prices, a price
 * history entry is written. A model that is listed again at its previous price is only reactivated. A model
 * that isn't listed becomes inactive. If an ID is listed twice, the first entry applies.
 */
export function modelChanges(known: readonly KnownModel[], listed: readonly ListedModel[]): ModelChanges {
  const before = new Map(known.map((model) => [model.id, model]));
  const wanted = new Map<string, ListedModel>();
  for (const model of listed) if (!wanted.has(model.id)) wanted.set(model.id, model);
  const isRepriced = ({ id, prices }: ListedModel): boolean => {
    const old = before.get(id);
    return old === undefined || !samePrices(old.prices, prices);
  };
  const models = [...wanted.values()];
  const repriced = models.filter(isRepriced);
  return {
    written: models.filter((model) => before.get(model.id)?.isActive !== true || isRepriced(model)),
    repriced,
    goneIds: known.filter(({ id, isActive }) => isActive && !wanted.has(id)).map(({ id }) => id),
  };
}

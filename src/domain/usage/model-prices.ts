// Imports AI models and their prices from a price source into the catalog (CON-32a).
import { divideRounded } from '../money/money.ts';
import { type ModelPrices, type PriceBand, type TokenPrices, tokenClasses } from './tokens.ts';

/** AI model in a price source. The ID is `provider/name`. */
export type ListedModel = {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly prices: ModelPrices;
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

/** Models of a price source. */
export type PriceList = {
  readonly models: readonly ListedModel[];
  /** IDs of models whose entries are invalid. The stored prices of these models continue to apply. */
  readonly invalidIds: readonly string[];
  /** Number of different members with a price that the service doesn't know. */
  readonly unknownPrices: number;
};

/** Powers of ten for converting a source's prices to millionths of a US dollar per million tokens. */
export const priceUnits = { perToken: 12, perMillionTokens: 6 } as const;

/** Maximum number of digits in a price, because longer numbers would use too much memory. */
const decimalPattern = /^(\d{1,30})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * Multiplies a decimal string in US dollars by a power of ten and rounds it half up to a whole number
 * (CON-32a). Calculates without floating-point numbers, so the result is exact. `null` if the string isn't a
 * decimal number, or the result is negative or above 2^53−1.
 */
export function priceOfDecimal(text: string, powerOfTen: number): bigint | null {
  const [, whole, fraction = '', exponent = '0'] = decimalPattern.exec(text) ?? [];
  if (whole === undefined) return null;
  const digits = BigInt(whole + fraction);
  const shift = Number(exponent) - fraction.length + powerOfTen;
  const price = shift >= 0 ? digits * 10n ** BigInt(shift) : divideRounded(digits, 10n ** BigInt(-shift));
  return price <= BigInt(Number.MAX_SAFE_INTEGER) ? price : null;
}

const samePrices = (a: ModelPrices, b: ModelPrices): boolean =>
  a.length === b.length &&
  a.every(({ upTo, prices }, index) => {
    const other = b[index];
    return other?.upTo === upTo && tokenClasses.every((name) => prices[name] === other.prices[name]);
  });

/**
 * Returns prices by the number of input tokens (PRM-117). `above` contains the prices that apply above a number of input
 * tokens, in addition to the prices of the band below.
 */
export function bandsOf(base: TokenPrices, above: ReadonlyMap<bigint, Partial<TokenPrices>>): ModelPrices {
  const bounds = [...above].sort(([a], [b]) => (a < b ? -1 : 1));
  let prices = base;
  const bands: PriceBand[] = [];
  for (const [bound, changes] of bounds) {
    bands.push({ upTo: bound, prices });
    prices = { ...prices, ...changes };
  }
  return [...bands, { upTo: null, prices }];
}

/**
 * Compares the catalog with an imported list of models (CON-32a). For new models and changed prices, a price
 * history entry is written. A model that is listed again at its previous price is only reactivated. A model
 * that isn't listed becomes inactive, unless its entry is invalid. If an ID is listed twice, the first entry applies.
 */
export function modelChanges(
  known: readonly KnownModel[],
  { models: listed, invalidIds }: Pick<PriceList, 'models' | 'invalidIds'>,
): ModelChanges {
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
    goneIds: known
      .filter(({ id, isActive }) => isActive && !wanted.has(id) && !invalidIds.includes(id))
      .map(({ id }) => id),
  };
}

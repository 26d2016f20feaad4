// The AI models a source of prices lists, and what a new list changes in the catalog (CON-32a).
import { divideRounded } from '../money.ts';
import type { TokenPrices } from './tokens.ts';

/**
 * A model as a source lists it: its id is `provider/name`, its prices are US dollars at rate scale per
 * million tokens.
 */
export type ListedModel = {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly prices: TokenPrices;
};

/** A model of the catalog, as far as a list is compared with it. */
export type KnownModel = ListedModel & { readonly isActive: boolean };

/**
 * What a list changes: models whose row is written, those among them whose prices are new, and the ids no
 * longer listed.
 */
export type ModelChanges = {
  readonly written: readonly ListedModel[];
  readonly repriced: readonly ListedModel[];
  readonly goneIds: readonly string[];
};

/** Powers of ten from a price as sources write it to rate scale per million tokens. */
export const priceUnits = { perToken: 10, perMillionTokens: 4 } as const;

/** The most digits of a price. Longer numbers are not prices, and would cost memory. */
const decimalPattern = /^(\d{1,30})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * A price in US dollars, as the decimal text it is written as, times a power of ten, rounded half up to a
 * whole rate (CON-32a). Exact: it never is a floating-point number. Null for a text that is no decimal from 0
 * to 2^53−1 at rate scale.
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
 * What a list of models changes in the catalog: a model that is new or has another price is written with an
 * entry in its history, one that comes back with the price it had is only active again, one that is not
 * listed becomes inactive (CON-32a). The first of equal ids counts.
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

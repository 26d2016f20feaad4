import { exactOf } from '../../../../domain/rates/decimal.ts';
import {
  compare,
  type Exact,
  exactText,
  plus,
  ratio,
  roundedTo,
  times,
  whole,
  zero,
} from '../../../../domain/rates/exact.ts';
import { linesOf, type RateLine } from '../../../../domain/rates/lines.ts';
import { models } from '../../../../domain/rates/models.ts';
import { priceOf } from '../../../../domain/rates/price.ts';
import { type ModelName, modelNames, type Rate } from '../../../../domain/rates/rate.ts';
import { mostTiers } from '../../../../domain/rates/read-rate.ts';
import { plainDecimal } from '../../../../ui/format/money.ts';
import type { RateDraft, TierDraft } from './rate-draft.ts';

export const centsPerDollar = 100n;
const rateScale = 10_000n;

const noTier: TierDraft = { upTo: '', amount: '', flat: '' };

/** Pricing models that a feature can have. The price of usage that is deducted from a pool can't fall. */
export const modelsFor = (isFromPool: boolean): readonly ModelName[] =>
  modelNames.filter((name) => !isFromPool || models[name].isMonotone);

/** Returns a rate with another pricing model. Amounts that the model doesn't have are removed. */
export function withModel(rate: RateDraft, model: ModelName): RateDraft {
  const tiers = model === 'per_unit' ? [{ ...(rate.tiers[0] ?? noTier), upTo: '' }] : rate.tiers;
  return {
    ...rate,
    model,
    per: model === 'stairs' ? 1 : rate.per,
    tiers: tiers.map((tier) => ({
      ...tier,
      ...(model === 'per_unit' && { flat: '' }),
      ...(model === 'stairs' && { amount: '', flat: tier.flat === '' ? tier.amount : tier.flat }),
    })),
  };
}

/** Returns the rate with a single price, `unitPrice × 10^-decimals`. The default is ten-thousandths (10,000 = 1.00). */
export const rateOfPrice = (model: ModelName, unitPrice: number, decimals = 4): RateDraft =>
  withModel(
    {
      model,
      per: 1,
      tiers: [
        {
          upTo: '',
          amount: exactText({ numerator: BigInt(unitPrice), denominator: 10n ** BigInt(decimals) }),
          flat: '',
        },
      ],
      minimum: '',
      maximum: '',
    },
    model,
  );

/** Returns the rate with another last tier. Proposes a bound for the previous tier. */
export function withNewTier(rate: RateDraft): RateDraft {
  const [last = noTier, before] = rate.tiers.toReversed();
  // Without rounding, 10 times a decimal can have more decimals than the bound.
  const bound = Number((Number(before?.upTo ?? '') * 10).toFixed(9)) || Math.max(1_000, rate.per * 10);
  return {
    ...rate,
    tiers: [...rate.tiers.slice(0, -1), { ...last, upTo: String(bound) }, { ...last, upTo: '' }],
  };
}

/** Returns the rate with changes to a tier. A bound for the last tier adds another tier. */
export function withTier(rate: RateDraft, index: number, changes: Partial<TierDraft>): RateDraft {
  const tiers = rate.tiers.map((tier, place) => (place === index ? { ...tier, ...changes } : tier));
  const last = tiers.at(-1);
  const isBounded = last !== undefined && last.upTo !== '' && tiers.length < mostTiers;
  return { ...rate, tiers: isBounded ? [...tiers, { ...last, upTo: '' }] : tiers };
}

/** Returns the rate after removing a tier. The last of the remaining tiers has no bound. */
export function withoutTier(rate: RateDraft, index: number): RateDraft {
  const tiers = rate.tiers.filter((_, place) => place !== index);
  return {
    ...rate,
    tiers: tiers.map((tier, place) => (place === tiers.length - 1 ? { ...tier, upTo: '' } : tier)),
  };
}

/**
 * Reads tiers from a pasted table with the columns up to, price and flat amount. Columns are separated by tabs, semicolons or commas.
 * Ignores a header and empty lines. `null` if the text isn't a table. The last tier has no bound.
 */
export function pastedTiers(text: string, locale: string): readonly TierDraft[] | null {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const separator = ['\t', ';', ','].find((sign) => text.includes(sign));
  if (separator === undefined) return null;
  const rows = lines.map((line) => line.split(separator).map((cell) => plainDecimal(cell, locale) ?? ''));
  const tiers = rows.filter((cells, index) => index > 0 || cells.some((cell) => cell !== ''));
  const isTable = tiers.length > 0 && tiers.every(({ length }) => length >= 2) && lines.length > 1;
  if (!isTable) return null;
  return tiers.map(([upTo = '', amount = '', flat = ''], index) => ({
    upTo: index === tiers.length - 1 ? '' : upTo,
    amount,
    flat,
  }));
}

/** Price of a quantity in US dollars or credits, with its average and its tiers. */
export type PricedQuantity = {
  /** Quantity as a decimal. */
  readonly units: string;
  /** Total price in US cents or credits. */
  readonly price: bigint;
  /** Average price per unit, in ten-thousandths of a US dollar or a credit (10,000 = 1.00). */
  readonly average: bigint;
  readonly lines: readonly RateLine[];
};

/**
 * Returns example quantities that illustrate a rate: the first unit, the bounds of the tiers, the next units after whole
 * bounds, and more.
 */
function shownQuantities({ per, tiers }: Rate): readonly Exact[] {
  const bounds = tiers.flatMap(({ upTo }) => (upTo === null ? [] : [exactOf(upTo)]));
  const last = bounds.at(-1);
  const isWhole = ({ numerator, denominator }: Exact): boolean => numerator % denominator === 0n;
  const found =
    last === undefined
      ? [1n, per, per + 1n, per * 10n, per * 100n, per * 1_000n].map(whole)
      : [
          whole(1n),
          ...bounds.flatMap((bound) =>
            bounds.length > 4 || !isWhole(bound) ? [bound] : [bound, plus(bound, whole(1n))],
          ),
          times(last, whole(2n)),
          times(last, whole(10n)),
        ];
  return found
    .toSorted(compare)
    .filter((quantity, index, all) => index === 0 || compare(quantity, all[index - 1] ?? zero) !== 0);
}

/**
 * Returns the prices of the quantities that explain a rate. `scale` is the number of units to which prices are rounded in one unit of
 * the asset: 100 for US dollars, and 1 for credits.
 */
export const pricedQuantities = (rate: Rate, scale = centsPerDollar): PricedQuantity[] =>
  shownQuantities(rate).map((units) => {
    const price = priceOf(rate, units);
    return {
      units: exactText(units),
      price: roundedTo(price, scale),
      average: roundedTo(times(price, ratio(units.denominator, units.numerator)), rateScale),
      lines: linesOf(rate, units, scale),
    };
  });

/** Messages for validation errors in a rate. */
const problems = [
  ['must be a decimal', 'number'],
  ["can't be negative", 'negative'],
  ['before the decimal point', 'digits'],
  ['whole number', 'whole'],
  ['decimal', 'decimals'],
  ['at most', 'large'],
  ['is required in every tier', 'bound'],
  ['must be greater', 'order'],
  ['must be a multiple', 'multiple'],
  ['greater than `maximum`', 'limits'],
  ['must contain from 1', 'tiers'],
] as const;

export type RateProblem = (typeof problems)[number][1] | 'other';

/** Returns the message for a validation error in a rate. */
export const problemOf = (message: string): RateProblem =>
  problems.find(([part]) => message.includes(part))?.[1] ?? 'other';

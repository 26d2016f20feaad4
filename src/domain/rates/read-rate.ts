// Reads rates and quantities from requests, stored JSON and price lists.
import type { FieldProblem } from '../errors/errors.ts';
import {
  compareDecimals,
  type Decimal,
  type DecimalBounds,
  exactOf,
  noAmount,
  readDecimal,
} from './decimal.ts';
import type { Exact } from './exact.ts';
import { models } from './models.ts';
import { largestQuantity } from './price.ts';
import { type ModelName, modelNames, type Rate, type Tier } from './rate.ts';

const mostPer = 10n ** 12n;

/** Maximum number of tiers in a rate. */
export const mostTiers = 20;

/** Maximum of `amount` and `flat`, in units of the asset. */
const mostAmount: Decimal = { units: 10n ** 9n, decimals: 0 };

/** Maximum of `minimum` and `maximum`, in units of the asset. The largest billable price with two decimals (PRM-106). */
const mostBound: Decimal = { units: 9n * 10n ** 11n, decimals: 0 };

/** Maximum number of decimals of a quantity: the most that a meter can have (PRM-120). */
export const mostQuantityDecimals = 9;

/** Values of a rate that may be invalid. Decimals are text or numbers. */
export type RateInput = {
  readonly model?: unknown;
  readonly per?: unknown;
  readonly amount?: unknown;
  readonly tiers?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
};

type Members = Readonly<Record<string, unknown>>;

const members = ['model', 'per', 'amount', 'tiers', 'minimum', 'maximum'];
const tierMembers = ['upTo', 'amount', 'flat'];

const isMissing = (value: unknown): value is undefined | null => value === undefined || value === null;

/** Reads the fields of a rate and collects all problems. Field paths are relative to the rate. */
class Reading {
  readonly problems: FieldProblem[] = [];

  add(field: string, message: string): void {
    this.problems.push({ field, message });
  }

  /** Returns the fields of an object. Adds a problem for each unknown field. */
  members(value: unknown, path: string, known: readonly string[]): Members | null {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.add(path, 'must be an object');
      return null;
    }
    for (const name of Object.keys(value))
      if (!known.includes(name)) this.add(path === '' ? name : `${path}.${name}`, "isn't a supported field");
    return value as Members;
  }

  /** Reads a decimal up to `most`. `null` if the value is missing or invalid. */
  decimal(value: unknown, field: string, most: Decimal | null, bounds?: DecimalBounds): Decimal | null {
    if (isMissing(value)) return null;
    const read = readDecimal(value, bounds);
    if (typeof read === 'string') this.add(field, read);
    else if (most !== null && compareDecimals(read, most) > 0)
      this.add(field, `can be at most ${most.units.toLocaleString('en-US')}`);
    else return read;
    return null;
  }
}

function readModel(value: unknown, reading: Reading): ModelName {
  const model = isMissing(value) ? 'per_unit' : modelNames.find((name) => name === value);
  if (model === undefined) reading.add('model', `must be one of ${modelNames.join(', ')}`);
  return model ?? 'per_unit';
}

function readPer(value: unknown, reading: Reading): bigint {
  if (isMissing(value)) return 1n;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= Number(mostPer))
    return BigInt(value);
  reading.add('per', `must be a whole number from 1 to ${mostPer.toLocaleString('en-US')}`);
  return 1n;
}

/** Reads the upper bound of a tier, which is `null` only in the last tier. */
function readBound(value: unknown, field: string, isLast: boolean, decimals: number, reading: Reading) {
  if (isLast) {
    if (!isMissing(value)) reading.add(field, 'must be null in the last tier');
    return null;
  }
  if (isMissing(value)) reading.add(field, 'is required in every tier except the last');
  return reading.decimal(value, field, null, { decimals });
}

function readTiers({ tiers, amount }: RateInput, decimals: number, reading: Reading): readonly Tier[] {
  if (isMissing(tiers)) {
    if (isMissing(amount)) reading.add('tiers', 'is required unless `amount` is set');
    return [
      { upTo: null, amount: reading.decimal(amount, 'amount', mostAmount) ?? noAmount, flat: noAmount },
    ];
  }
  if (!isMissing(amount)) reading.add('amount', "can't be combined with `tiers`");
  if (!Array.isArray(tiers) || tiers.length < 1 || tiers.length > mostTiers) {
    reading.add('tiers', `must contain from 1 to ${mostTiers} tiers`);
    return [];
  }
  const read = tiers.map((value: unknown, index): Tier => {
    const path = `tiers.${index}`;
    const tier = reading.members(value, path, tierMembers) ?? {};
    const isLast = index === tiers.length - 1;
    return {
      upTo: readBound(tier['upTo'], `${path}.upTo`, isLast, decimals, reading),
      amount: reading.decimal(tier['amount'], `${path}.amount`, mostAmount) ?? noAmount,
      flat: reading.decimal(tier['flat'], `${path}.flat`, mostAmount) ?? noAmount,
    };
  });
  let lower = noAmount;
  for (const [index, { upTo }] of read.entries()) {
    if (upTo === null) continue;
    if (compareDecimals(upTo, lower) <= 0)
      reading.add(
        `tiers.${index}.upTo`,
        index === 0 ? 'must be greater than 0' : 'must be greater than the value in the previous tier',
      );
    lower = upTo;
  }
  return read;
}

/** Adds the problems that are specific to the pricing model, except for fields that already have a problem. */
function addModelProblems(rate: Rate, { model, tiers }: RateInput, reading: Reading): void {
  if (!isMissing(model) && model !== rate.model) return;
  const known = new Set(reading.problems.map(({ field }) => field));
  for (const { field, message } of models[rate.model].problems(rate)) {
    // A rate with a single price has no `tiers` field.
    const shown = isMissing(tiers) ? field.replace(/^tiers\.0\./, '') : field;
    if (!known.has(shown)) reading.add(shown, message);
  }
}

/**
 * Reads a rate. Returns the rate, or all problems with their field paths, such as `tiers.0.upTo`. `decimals` is the
 * number of decimals of the meter, from 0 to 9, which limits the decimals of tier bounds. Defaults to 9.
 */
export function readRate(
  input: unknown,
  { decimals = mostQuantityDecimals }: { readonly decimals?: number } = {},
): { readonly rate: Rate } | { readonly problems: readonly FieldProblem[] } {
  const reading = new Reading();
  const given: RateInput | null = reading.members(input, '', members);
  if (given === null) return { problems: reading.problems };
  const rate: Rate = {
    model: readModel(given.model, reading),
    per: readPer(given.per, reading),
    tiers: readTiers(given, decimals, reading),
    minimum: reading.decimal(given.minimum, 'minimum', mostBound),
    maximum: reading.decimal(given.maximum, 'maximum', mostBound),
  };
  const { minimum, maximum } = rate;
  if (minimum !== null && maximum !== null && compareDecimals(minimum, maximum) > 0)
    reading.add('minimum', "can't be greater than `maximum`");
  addModelProblems(rate, given, reading);
  const { problems } = reading;
  return problems.length > 0 ? { problems } : { rate };
}

/**
 * Reads a quantity: a decimal with up to 16 digits, and up to `decimals` decimals. Returns the problem as a phrase that
 * follows the field's name, if the value is invalid. Returns `too_large` if the integer part exceeds
 * 9,007,199,254,740,991 (PRM-106).
 */
export function readQuantity(
  value: unknown,
  decimals = mostQuantityDecimals,
): { readonly quantity: Exact } | { readonly problem: string } | 'too_large' {
  const read = readDecimal(value, { digits: 40, decimals });
  if (typeof read === 'string') return { problem: read };
  const quantity = exactOf(read);
  return quantity.numerator / quantity.denominator > largestQuantity ? 'too_large' : { quantity };
}

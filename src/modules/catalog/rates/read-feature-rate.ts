import { type FieldProblem, QuittanceError } from '../../../domain/errors/errors.ts';
import { dimensionProblems } from '../../../domain/meters/dimensions.ts';
import type { MeterDocument } from '../../../domain/meters/meter.ts';
import { rateScale } from '../../../domain/money/money.ts';
import { isCustom, type Pool } from '../../../domain/pricing/pools.ts';
import { type Card, type CardDocument, cardDocument, cardOf } from '../../../domain/rates/card.ts';
import { perUnitRate, plainUnitPrice, storedRate } from '../../../domain/rates/held.ts';
import { models } from '../../../domain/rates/models.ts';
import { type Rate, type RateDocument, rateDocument } from '../../../domain/rates/rate.ts';
import { type CardInput, readCard } from '../../../domain/rates/read-card.ts';
import { type RateOverrideInput, readOverrides } from '../../../domain/rates/read-overrides.ts';
import { type RateInput, readRate } from '../../../domain/rates/read-rate.ts';
import { problemsInInput, rateRejection } from '../../../domain/rates/rejections.ts';

/** Number of decimals in the bounds of a card, which can apply to features with different meters. */
const unitDecimals = 0;

/** Feature whose rate is read: the pool from which its usage is deducted, `null` if units are invoiced, and the decimals of its quantities. */
export type RatedFeature = { readonly pool: Pool | null; readonly decimals: number };

/** Returns why usage that is deducted from a pool can't have a rate. Empty if it can. */
const problemsOfPool = ({ model }: Rate, pool: Pool | null): readonly FieldProblem[] =>
  pool === null || models[model].isMonotone
    ? []
    : [
        {
          field: 'rate.model',
          message: `can't be ${model} for usage that is deducted from ${isCustom(pool) ? pool : 'a balance'}, because the price can fall with more usage`,
        },
      ];

/** Returns a problem for each part of a rate card that can't be the price of usage that is deducted from a pool. */
function poolProblems(card: Card, pool: Pool | null): readonly FieldProblem[] {
  const of = (rate: Rate, path: string) =>
    problemsOfPool(rate, pool).map(({ message }) => ({ field: `${path}.model`, message }));
  return [
    ...card.cells.flatMap(({ rate }, index) => of(rate, `cells.${index}.rate`)),
    ...(card.default === null ? [] : of(card.default, 'default')),
  ];
}

/** Returns a rate that is only a price per unit in the form of unit prices or credits per unit. Returns other rates unchanged. */
function normalized(rate: Rate, pool: Pool | null): Rate {
  const price = plainUnitPrice(rate);
  if (price === null) return rate;
  return isCustom(pool) && price % rateScale === 0n ? perUnitRate(price / rateScale, 0) : perUnitRate(price);
}

/** Rate of a feature in a market or currency, as stored. */
export type StoredOverride = {
  readonly marketId: string | null;
  readonly currency: string;
  readonly rate: RateDocument;
};

/**
 * Reads the overrides of a feature's rate (PRM-110). Throws `validation_error` with all problems and the reason `bad_rate`, also if the rate is
 * in credits, which has no overrides.
 */
export function readFeatureOverrides(
  inputs: readonly RateOverrideInput[],
  base: Rate,
  { pool, decimals }: RatedFeature,
): readonly StoredOverride[] {
  const reject = (problems: readonly FieldProblem[]) =>
    new QuittanceError(rateRejection('bad_rate', problemsInInput(problems)));
  if (isCustom(pool) && inputs.length > 0)
    throw reject([{ field: 'overrides', message: `can't be set for a rate in ${pool}` }]);
  const read = readOverrides(inputs, base, decimals);
  if ('problems' in read) throw reject(read.problems);
  const problems = read.overrides.flatMap(({ rate }, index) =>
    problemsOfPool(rate, pool).map(({ message }) => ({ field: `overrides.${index}.model`, message })),
  );
  if (problems.length > 0) throw reject(problems);
  return read.overrides.map(({ rate, ...override }) => ({
    ...override,
    rate: rateDocument(normalized(rate, pool)),
  }));
}

/**
 * Reads the rate of a feature. The bounds of its tiers have at most the decimals of its quantities. Throws `validation_error` with all problems
 * and the reason `bad_rate`.
 */
export function readFeatureRate(input: RateInput, { pool, decimals }: RatedFeature): Rate {
  const read = readRate(input, { decimals });
  const problems = 'problems' in read ? problemsInInput(read.problems) : problemsOfPool(read.rate, pool);
  if ('problems' in read || problems.length > 0)
    throw new QuittanceError(rateRejection('bad_rate', problems));
  return normalized(read.rate, pool);
}

/**
 * Reads a rate card. `problemsIn` converts the field paths. Throws `validation_error` with all problems and the reason
 * `bad_rate` or `ambiguous_cells`.
 */
export function readCardInput(
  input: CardInput,
  problemsIn: (problems: readonly FieldProblem[]) => readonly FieldProblem[],
): CardDocument {
  const read = readCard(input, unitDecimals);
  if ('problems' in read) throw new QuittanceError(rateRejection(read.reason, problemsIn(read.problems)));
  return cardDocument(read.card);
}

/** Feature whose price is a card: the pool from which usage is deducted, and the latest meter. */
export type CardUse = { readonly pool: Pool | null; readonly meter: MeterDocument | null };

/**
 * Throws `validation_error` if a card can't be the price of a feature. If the meter lacks a dimension, the reason is
 * `unknown_dimension`. If the price of usage that is deducted from a pool could fall, the reason is `bad_rate`. `path` is
 * the field of the card. `path` is `null` if the fields of the card are fields of the input.
 */
export function requireCardFits(card: CardDocument, { pool, meter }: CardUse, path: string | null): void {
  const reject = (reason: 'unknown_dimension' | 'bad_rate', problems: readonly FieldProblem[]) =>
    new QuittanceError(
      rateRejection(
        reason,
        problems.map(({ field, message }) => ({
          field: path === null ? field : `${path}.${field}`,
          message,
        })),
      ),
    );
  const unknown = dimensionProblems(card, meter);
  if (unknown.length > 0) throw reject('unknown_dimension', unknown);
  const falling = storedRate(card).flatMap((list) => poolProblems(cardOf(list), pool));
  if (falling.length > 0) throw reject('bad_rate', falling);
}

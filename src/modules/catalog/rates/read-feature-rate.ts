import { type FieldProblem, QuittanceError } from '../../../domain/errors/errors.ts';
import { dimensionProblems } from '../../../domain/meters/dimensions.ts';
import { latestDecimals, type MeterDocument, meterOfVersion } from '../../../domain/meters/meter.ts';
import { rateScale } from '../../../domain/money/money.ts';
import { overridesFitting } from '../../../domain/pricing/local-rates.ts';
import { isCustom, type Pool } from '../../../domain/pricing/pools.ts';
import {
  type CardDocument,
  cardDocument,
  isCard,
  isCardDocument,
  type PriceList,
  type PriceListDocument,
  type RateOverride,
} from '../../../domain/rates/card.ts';
import { perUnitRate, plainUnitPrice, storedRate } from '../../../domain/rates/held.ts';
import { models } from '../../../domain/rates/models.ts';
import { type Rate, type RateDocument, rateDocument } from '../../../domain/rates/rate.ts';
import { type CardInput, readCard, readList } from '../../../domain/rates/read-card.ts';
import { type RateOverrideInput, readOverrides } from '../../../domain/rates/read-overrides.ts';
import { type RateInput, readRate } from '../../../domain/rates/read-rate.ts';
import { problemsInInput, type RateReason, rateRejection } from '../../../domain/rates/rejections.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { marketRows } from '../markets/store.ts';

/** Number of decimals in the bounds of a saved card, which can apply to features with different meters. */
const savedDecimals = 0;

/** Feature whose rate is read: the pool from which its usage is deducted, `null` if units are invoiced, and its meter. */
export type RatedFeature = {
  readonly pool: Pool | null;
  readonly decimals: number;
  readonly meter: MeterDocument | null;
};

/** Returns the properties of a feature that determine which rates it can have. */
export function ratedFeature({ meters }: Pick<Row<'Feature'>, 'meters'>, pool: Pool | null): RatedFeature {
  const latest = meters.at(-1);
  return {
    pool,
    decimals: latestDecimals({ meters }),
    meter: latest === undefined ? null : meterOfVersion(latest),
  };
}

/** Input of a rate or of rates by dimension. If `overrides` is omitted or `null`, the overrides don't change. */
export type PriceListInput = RateInput &
  CardInput & { readonly overrides?: readonly RateOverrideInput[] | null | undefined };

/** Price of a feature with its overrides. */
export type PriceWithOverrides = {
  readonly rate: PriceListDocument;
  readonly overrides: readonly RateOverride[];
};

const rejected = (reason: RateReason, problems: readonly FieldProblem[]): QuittanceError =>
  new QuittanceError(rateRejection(reason, problems));

/** Returns why usage that is deducted from a pool can't have a rate. Empty if it can. */
const problemsOfPool = ({ model }: Rate, pool: Pool | null): readonly FieldProblem[] =>
  pool === null || models[model].isMonotone
    ? []
    : [
        {
          field: 'model',
          message: `can't be ${model} for usage that is deducted from ${isCustom(pool) ? pool : 'a balance'}, because the price can fall with more usage`,
        },
      ];

/** Returns a problem for each rate that can't be the price of usage that is deducted from a pool. */
function poolProblems(list: PriceList, pool: Pool | null): readonly FieldProblem[] {
  if (!isCard(list)) return problemsOfPool(list, pool);
  const of = (rate: Rate, path: string) =>
    problemsOfPool(rate, pool).map(({ field, message }) => ({ field: `${path}.${field}`, message }));
  return [
    ...list.cells.flatMap(({ rate }, index) => of(rate, `cells.${index}.rate`)),
    ...(list.default === null ? [] : of(list.default, 'default')),
  ];
}

/** Returns a rate that is only a price per unit in the form of unit prices or credits per unit. Returns other rates unchanged. */
function normalized(rate: Rate, pool: Pool | null): Rate {
  const price = plainUnitPrice(rate);
  if (price === null) return rate;
  return isCustom(pool) && price % rateScale === 0n ? perUnitRate(price / rateScale, 0) : perUnitRate(price);
}

/** Converts a list to the form in which features store it. */
const stored = (list: PriceList, pool: Pool | null): PriceListDocument =>
  isCard(list) ? cardDocument(list) : rateDocument(normalized(list, pool));

/**
 * Reads the overrides of a rate or card (PRM-110). Returns the stored overrides, or all problems with their paths below the rate. A rate in
 * credits or another custom unit has no overrides.
 */
function readStoredOverrides(
  inputs: readonly RateOverrideInput[],
  base: PriceList,
  { pool, decimals }: Pick<RatedFeature, 'pool' | 'decimals'>,
): { readonly overrides: readonly RateOverride[] } | { readonly problems: readonly FieldProblem[] } {
  if (isCustom(pool) && inputs.length > 0)
    return { problems: [{ field: 'overrides', message: `can't be set for a rate in ${pool}` }] };
  const read = readOverrides(inputs, base, decimals);
  if ('problems' in read) return read;
  const problems = read.overrides.flatMap(({ list }, index) =>
    poolProblems(list, pool).map(({ field, message }) => ({ field: `overrides.${index}.${field}`, message })),
  );
  if (problems.length > 0) return { problems };
  return {
    overrides: read.overrides.map(({ list, ...override }) => ({ ...override, rate: stored(list, pool) })),
  };
}

/**
 * Reads a rate or rates by dimension of a feature, with overrides. The bounds of tiers have at most the decimals of its quantities. `before`
 * are the current overrides, which stay if the input has no overrides and they fit the rate. Throws `validation_error` with all problems and
 * the reason `bad_rate`, `ambiguous_cells`, or `unknown_dimension`.
 */
export function readPrice(
  { overrides, ...input }: PriceListInput,
  rated: RatedFeature,
  before: readonly RateOverride[] = [],
): PriceWithOverrides {
  const { pool, decimals, meter } = rated;
  const read = readList(input, decimals);
  if ('problems' in read) throw rejected(read.reason, problemsInInput(read.problems));
  const { list } = read;
  const rate = stored(list, pool);
  const unknown = isCardDocument(rate) ? dimensionProblems(rate, meter) : [];
  if (unknown.length > 0) throw rejected('unknown_dimension', problemsInInput(unknown));
  const falling = poolProblems(list, pool);
  if (falling.length > 0) throw rejected('bad_rate', problemsInInput(falling));
  if (overrides === undefined || overrides === null)
    return { rate, overrides: overridesFitting(rate, before) };
  const own = readStoredOverrides(overrides, list, rated);
  if ('problems' in own) throw rejected('bad_rate', problemsInInput(own.problems));
  return { rate, overrides: own.overrides };
}

/** Reads the cost of a feature. Throws `validation_error` with all problems and the reason `bad_rate`. */
export function readCost(input: RateInput, decimals: number, pool: Pool | null): RateDocument {
  const read = readRate(input, { decimals });
  const problems = 'problems' in read ? read.problems : problemsOfPool(read.rate, pool);
  if ('problems' in read || problems.length > 0) throw rejected('bad_rate', problemsInInput(problems));
  return rateDocument(normalized(read.rate, pool));
}

/** Rates of a saved card with the rates that replace them in markets and currencies. */
export type CardWithOverrides = {
  readonly card: CardDocument;
  readonly overrides: readonly RateOverride[];
};

/** Reads a saved card with its overrides. Throws `validation_error` with all problems and the reason `bad_rate` or `ambiguous_cells`. */
export function readSavedCard(input: CardInput, overrides: readonly RateOverrideInput[]): CardWithOverrides {
  const read = readCard(input, savedDecimals);
  if ('problems' in read) throw rejected(read.reason, read.problems);
  const own = readStoredOverrides(overrides, read.card, { pool: null, decimals: savedDecimals });
  if ('problems' in own) throw rejected('bad_rate', own.problems);
  return { card: cardDocument(read.card), overrides: own.overrides };
}

/**
 * Throws `validation_error` if a saved card can't be the price of a feature. If the meter lacks a dimension, the reason is
 * `unknown_dimension`. If the price of usage that is deducted from a pool could fall, or if the card has overrides and the pool is a
 * custom unit, the reason is `bad_rate`. `path` is the field of the card. `path` is `null` if the fields of the card are fields of the input.
 */
export function requireCardFits(
  { card, overrides }: CardWithOverrides,
  { pool, meter }: Pick<RatedFeature, 'pool' | 'meter'>,
  path: string | null,
): void {
  const inPath = ({ field, message }: FieldProblem) => ({
    field: path === null ? field : `${path}.${field}`,
    message,
  });
  const unknown = dimensionProblems(card, meter);
  if (unknown.length > 0) throw rejected('unknown_dimension', unknown.map(inPath));
  const problems = [
    ...storedRate(card).flatMap((list) => poolProblems(list, pool)),
    ...overrides.flatMap(({ rate }, index) =>
      storedRate(rate).flatMap((list) =>
        poolProblems(list, pool).map(({ field, message }) => ({
          field: `overrides.${index}.${field}`,
          message,
        })),
      ),
    ),
    ...(isCustom(pool) && overrides.length > 0
      ? [{ field: 'overrides', message: `can't be set for a rate in ${pool}` }]
      : []),
  ];
  if (problems.length > 0) throw rejected('bad_rate', problems.map(inPath));
}

/** Locks the markets of overrides against deletion. `path` is the field that contains the overrides. Throws `market_not_found`. */
export async function lockMarkets(
  tx: Context,
  overrides: readonly RateOverride[],
  path: string,
): Promise<void> {
  for (const [index, { marketId }] of overrides.entries())
    if (marketId !== null) await marketRows.lock(tx, marketId, `${path}.${index}.marketId`, 'SHARE');
}

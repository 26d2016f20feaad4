import { type FieldProblem, QuittanceError } from '../../../domain/errors/errors.ts';
import { latestDecimals, meterOfVersion } from '../../../domain/meters/meter.ts';
import { type CellDetails, canHaveRate } from '../../../domain/pricing/feature-cell.ts';
import { creditsPool, moneyPool } from '../../../domain/pricing/pools.ts';
import type { CardDocument } from '../../../domain/rates/card.ts';
import { type CostDocument, type DerivedRate, isDerived } from '../../../domain/rates/derived.ts';
import { type Rate, rateDocument } from '../../../domain/rates/rate.ts';
import type { CardInput } from '../../../domain/rates/read-card.ts';
import { type DerivedInput, problemsOfModelCost, readDerived } from '../../../domain/rates/read-derived.ts';
import type { RateOverrideInput } from '../../../domain/rates/read-overrides.ts';
import type { RateInput } from '../../../domain/rates/read-rate.ts';
import { problemsInInput, type RateReason, rateRejection } from '../../../domain/rates/rejections.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { marketRows } from '../markets/store.ts';
import { type PlanFeatureRow, planRows } from '../plans/store.ts';
import {
  readCardInput,
  readFeatureOverrides,
  readFeatureRate,
  requireCardFits,
  type StoredOverride,
} from '../rates/read-feature-rate.ts';
import { rateCardRows, referringTo } from '../rates/store.ts';
import { followFeature } from '../regional-pricing/derive.ts';
import { replaceOverrides } from '../regional-pricing/store.ts';
import {
  type Attached,
  cellOf,
  type PlanFeatureReference,
  requireAttached,
  storeTerms,
  withDefaultPrice,
} from './attach.ts';

/** Input of a feature's cost: a rate, or the source from which the cost is taken. */
export type CostInput = RateInput & DerivedInput;

/**
 * Input of a feature's price: a rate with its overrides, or the source from which the rate is derived. If `overrides` is omitted or `null`,
 * the overrides don't change.
 */
export type PriceInput = CostInput &
  Pick<CardInput, 'cells' | 'default'> & {
    readonly overrides?: readonly RateOverrideInput[] | null | undefined;
  };

const rejected = (reason: RateReason, problems: readonly FieldProblem[]): QuittanceError =>
  new QuittanceError(rateRejection(reason, problems));

const rejectedRate = (reason: RateReason, message: string): QuittanceError =>
  rejected(reason, [{ field: 'rate', message }]);

/** Returns true if the input contains rates by dimension. */
const hasCells = ({ cells, default: other }: PriceInput): boolean =>
  (cells !== undefined && cells !== null) || (other !== undefined && other !== null);

const isFromSource = ({ from }: CostInput): boolean => from !== undefined && from !== null;

/** Replaces the overrides of a feature's rate. Throws `market_not_found`. */
async function storeOverrides(
  tx: Context,
  { planId, featureId }: PlanFeatureRow,
  overrides: readonly StoredOverride[],
): Promise<void> {
  for (const [index, { marketId }] of overrides.entries())
    if (marketId !== null) await marketRows.lock(tx, marketId, `rate.overrides.${index}.marketId`, 'SHARE');
  await replaceOverrides(tx, { planId, featureId }, overrides);
}

/** Returns the new rate of a feature. `null` if the rate is removed. */
function newRate(input: RateInput | null, cell: CellDetails, decimals: number): Rate | null {
  const { pool } = cell;
  if (input === null) {
    if (pool === creditsPool)
      throw rejectedRate('bad_rate', 'A usage feature of a credits plan requires a rate.');
    return null;
  }
  const rate = readFeatureRate(input, { pool, decimals });
  if (cell.isFree && pool === null) throw rejectedRate('bad_rate', "A free plan can't charge for overage.");
  return rate;
}

/** Reads a rate that is derived from the cost of a feature in a plan. Throws `validation_error` if the feature can't have such a rate. */
function derivedRateFor(input: PriceInput, row: PlanFeatureRow, cell: CellDetails): DerivedRate {
  const { overrides, cells: _cells, default: _default, ...source } = input;
  const read = readDerived(source);
  if ('problems' in read) throw rejected('bad_rate', problemsInInput(read.problems));
  if (overrides !== undefined && overrides !== null)
    throw rejected(
      'bad_rate',
      problemsInInput([{ field: 'overrides', message: "can't be set for a derived rate" }]),
    );
  if (row.costRate === null)
    throw rejectedRate(
      'derived_needs_cost',
      'A derived rate requires a cost. Set the cost of the feature first.',
    );
  if (row.includedAmount > 0n || row.unlimited)
    throw rejectedRate('no_included', "A feature with a derived rate can't include units.");
  if (cell.pool !== moneyPool)
    throw rejectedRate('bad_rate', 'Derived rates are only available for usage features of balance plans.');
  return read.rate;
}

/** Fields of a price that can't be combined with rates by dimension. */
const withoutCells = [
  'model',
  'per',
  'amount',
  'tiers',
  'overrides',
  'from',
  'marginBps',
  'modifiers',
] as const;

/** Reads the rates by dimension of a feature. Throws `validation_error` with all problems. */
function readFeatureCard(input: PriceInput): CardDocument {
  const strangers = withoutCells
    .filter((name) => input[name] !== undefined && input[name] !== null)
    .map((field) => ({ field, message: "can't be combined with `cells` and `default`" }));
  if (strangers.length > 0) throw rejected('bad_rate', problemsInInput(strangers));
  const { cells, default: other, minimum, maximum } = input;
  return readCardInput({ cells, default: other, minimum, maximum }, problemsInInput);
}

/**
 * Stores a card as the rate of a feature in a locked plan. Currencies have the rates that are derived with the exchange rates of
 * the plan, so earlier overrides end. `path` is the field of the card.
 */
async function storeCard(
  tx: Context,
  { plan, attached, cell }: Awaited<ReturnType<typeof lockedFeature>>,
  rate: CardDocument,
  path: 'rate' | 'rateCardId',
): Promise<PlanFeatureRow> {
  if (!canHaveRate(cell, null) || (cell.isFree && cell.pool === null))
    throw rejectedRate('bad_rate', `A ${cell.type} feature of this plan can't have a rate card.`);
  const latest = attached.feature.meters.at(-1);
  const meter = latest === undefined ? null : meterOfVersion(latest);
  requireCardFits(rate, { pool: cell.pool, meter }, path);
  await storeOverrides(tx, attached.row, []);
  const row = await storeTerms(tx, plan, attached, { ...attached.row, rate });
  await followFeature(tx, plan, { feature: attached.feature, row });
  return row;
}

/** Attached feature in a locked plan, with the properties that determine its terms. */
async function lockedFeature(tx: Context, { planId, featureId }: PlanFeatureReference) {
  const plan = await planRows.lock(tx, planId, 'planId');
  const attached = await requireAttached(tx, plan, featureId);
  return { plan, attached, cell: cellOf(plan, attached.feature, attached.row.settle) };
}

/**
 * Sets the rate of a feature in a plan, or removes it if the input is `null`. In the current period, subscribers pay the cheaper of the
 * rates (PRM-5). Doesn't change whether overage is sold. Throws `plan_not_found`, `feature_not_found`, `not_found` if the feature isn't
 * attached, and `validation_error` if the feature can't have a price in the plan, the rate is invalid, or the feature of a credits plan has no
 * other price.
 */
export const setPlanFeatureRate = (
  ctx: Context,
  reference: PlanFeatureReference,
  input: PriceInput | null,
): Promise<PlanFeatureRow> =>
  inTransaction(ctx, async (tx) => {
    const locked = await lockedFeature(tx, reference);
    if (input !== null && hasCells(input)) return storeCard(tx, locked, readFeatureCard(input), 'rate');
    const { plan, attached, cell } = locked;
    const { feature, row } = attached;
    if (input !== null && isFromSource(input))
      return storeTerms(tx, plan, attached, { ...row, rate: derivedRateFor(input, row, cell) });
    if (!canHaveRate(cell, null)) {
      const message = `A ${cell.type} feature of a ${cell.consumptionModel} plan can't have a rate.`;
      throw rejectedRate('bad_rate', message);
    }
    const { overrides = null, cells: _cells, default: _default, ...base } = input ?? {};
    const rated = { pool: cell.pool, decimals: latestDecimals(feature) };
    const rate = newRate(input === null ? null : base, cell, rated.decimals);
    // A removed rate has no overrides. Overrides that aren't provided don't change.
    const replaced = rate === null ? [] : overrides && readFeatureOverrides(overrides, rate, rated);
    if (replaced !== null) await storeOverrides(tx, row, replaced);
    const terms = { ...row, rate: rate === null ? null : rateDocument(rate) };
    const stored = await storeTerms(tx, plan, attached, withDefaultPrice(terms));
    if (replaced !== null) await followFeature(tx, plan, { feature, row: stored });
    return stored;
  });

/**
 * Sets a saved card as the rate of a feature in a plan. Throws `not_found` if the card or the feature in the plan doesn't
 * exist. Throws `validation_error` if the feature can't have the card.
 */
const setPlanFeatureCard = (
  ctx: Context,
  reference: PlanFeatureReference,
  rateCardId: string,
): Promise<PlanFeatureRow> =>
  inTransaction(ctx, async (tx) => {
    // A change of the card locks the card before the plans.
    const card = await rateCardRows.lock(tx, rateCardId, 'rateCardId', 'SHARE');
    return storeCard(tx, await lockedFeature(tx, reference), referringTo(card), 'rateCardId');
  });

/** Sets the rate or the saved card of a feature in a plan. Throws `validation_error` unless exactly one of them is provided. */
export async function setFeaturePrice(
  ctx: Context,
  {
    rate = null,
    rateCardId = null,
    ...reference
  }: PlanFeatureReference & {
    readonly rate?: PriceInput | null | undefined;
    readonly rateCardId?: string | null | undefined;
  },
): Promise<PlanFeatureRow> {
  if ((rate === null) === (rateCardId === null))
    throw rejectedRate('bad_rate', 'Set either `rate` or `rateCardId`.');
  return rateCardId === null
    ? setPlanFeatureRate(ctx, reference, rate)
    : setPlanFeatureCard(ctx, reference, rateCardId);
}

/** Reads the cost of a feature in a plan. Throws `validation_error` with all problems. */
function costFor(input: CostInput, { feature, row }: Attached, cell: CellDetails): CostDocument {
  // The price of a balance plan can't fall with more usage, so neither can the cost from which the price is derived.
  if (!isFromSource(input))
    return rateDocument(
      readFeatureRate(input, {
        pool: isDerived(row.rate) ? moneyPool : null,
        decimals: latestDecimals(feature),
      }),
    );
  const problems = problemsInInput(problemsOfModelCost(input));
  if (problems.length > 0) throw rejected('bad_rate', problems);
  if (cell.type !== 'usage')
    throw rejectedRate(
      'bad_rate',
      'Only usage features can have the token prices of AI models as their cost.',
    );
  return { from: 'ai_models' };
}

/**
 * Sets the cost of a feature in a plan, or removes the cost if the input is `null` (PRM-111). A derived rate applies the
 * new cost to later events. Fails with `plan_not_found` or `feature_not_found`. Fails with `not_found` if the feature isn't attached.
 * Fails with `validation_error` if the cost is invalid or a derived rate requires the cost.
 */
export const setPlanFeatureCost = (
  ctx: Context,
  reference: PlanFeatureReference,
  input: CostInput | null,
): Promise<PlanFeatureRow> =>
  inTransaction(ctx, async (tx) => {
    const { plan, attached, cell } = await lockedFeature(tx, reference);
    const { row } = attached;
    if (cell.type === 'boolean') throw rejectedRate('bad_rate', "A boolean feature can't have a cost.");
    if (input === null && isDerived(row.rate))
      throw rejectedRate('derived_needs_cost', 'The rate of the feature is derived from the cost.');
    const costRate = input === null ? null : costFor(input, attached, cell);
    return storeTerms(tx, plan, attached, { ...row, costRate });
  });

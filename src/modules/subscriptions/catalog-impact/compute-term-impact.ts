import { overrideFor } from '../../../domain/pricing/local-rates.ts';
import { poolOf } from '../../../domain/pricing/pools.ts';
import { type TermChange, termChanges } from '../../../domain/pricing/term-changes.ts';
import { type StoredTerms, termsOf } from '../../../domain/pricing/terms.ts';
import type { RateOverride } from '../../../domain/rates/card.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import type { FeatureRow } from '../../catalog/features/store.ts';
import { editedTerms } from '../../catalog/plan-features/attach.ts';
import { type FeatureRateChange, termsWithRate } from '../../catalog/plan-features/set-rate.ts';
import { type PlanRow, planRows } from '../../catalog/plans/store.ts';
import { currentExchangeRates } from '../../catalog/regional-pricing/store.ts';
import { billChanges, noBillChanges } from './compute-bill-change.ts';
import {
  type CatalogImpact,
  countOf,
  type FeatureChange,
  type ImpactFavor,
  impactOf,
  noImpact,
  type TermImpact,
} from './compute-impact.ts';
import { readSubscribers, type SubscriberGroup } from './store.ts';

/**
 * Returns the currencies whose unit price for a feature follows the US dollar price: US dollars, and currencies with a
 * derived unit price.
 */
async function followingCurrencies(
  ctx: Context,
  planId: string,
  overrides: readonly RateOverride[],
): Promise<ReadonlySet<string>> {
  const derived = (await currentExchangeRates(ctx, planId)).map(({ currency }) => currency);
  return new Set(
    ['usd', ...derived].filter((currency) => overrideFor(overrides, { currency, marketId: null }) === null),
  );
}

/** Returns the party that benefits from the combination of all term changes. */
function combinedFavor(terms: readonly TermImpact[]): ImpactFavor {
  const favors = new Set(terms.map(({ impact }) => impact.inFavorOf));
  const [only = 'neither'] = favors;
  return favors.size > 1 ? 'mixed' : only;
}

/**
 * Returns the impact that takes effect first. If several impacts take effect at the same time, returns the impact on the most
 * subscriptions.
 */
const firstImpact = (terms: readonly TermImpact[]): CatalogImpact | undefined =>
  terms
    .map(({ impact }) => impact)
    .toSorted(
      (a, b) =>
        Number(b.when === 'immediately') - Number(a.when === 'immediately') ||
        b.subscribers.value - a.subscribers.value,
    )[0];

/** Feature of a plan with its terms before and after a change. */
type Edit = {
  readonly plan: PlanRow;
  readonly feature: FeatureRow;
  readonly stored: StoredTerms;
  readonly edited: StoredTerms;
};

/**
 * Returns the impact of new feature terms, term by term. Improvements take effect immediately, and other changes take effect in the next
 * period. A new unit price affects customers who pay in US dollars or in a currency whose unit price is converted from US dollars. Throws
 * `plan_not_found` and `feature_not_found`. Throws `not_found` if the plan doesn't have the feature. Throws `validation_error` if the terms
 * are invalid.
 */
export async function termImpact(ctx: Context, change: FeatureChange): Promise<CatalogImpact> {
  const { planId, ...provided } = change;
  const plan = await planRows.require(ctx, planId, 'planId');
  const { feature, stored, terms: edited } = await editedTerms(ctx, plan, provided);
  return impactOfEdit(ctx, { plan, feature, stored, edited });
}

/** Returns the impact of another rate or saved card of a feature (PRM-5). Throws the errors of `termsWithRate`. */
export async function rateImpact(ctx: Context, change: FeatureRateChange): Promise<CatalogImpact> {
  const edit = await inTransaction(ctx, async (tx) => {
    const { plan, attached, terms } = await termsWithRate(tx, change);
    return { plan, feature: attached.feature, stored: attached.row, edited: terms };
  });
  return impactOfEdit(ctx, edit);
}

async function impactOfEdit(ctx: Context, { plan, feature, stored, edited }: Edit): Promise<CatalogImpact> {
  const changes = termChanges(
    termsOf(stored),
    termsOf(edited),
    poolOf({ type: feature.type, settle: stored.settle }, plan),
  );
  if (changes.length === 0) return noImpact;
  const staying = await readSubscribers(ctx.sql, { planId: plan.id }, true);
  const all = changes.some(({ when }) => when === 'immediately')
    ? await readSubscribers(ctx.sql, { planId: plan.id }, false)
    : staying;
  const follows = await followingCurrencies(ctx, plan.id, stored.overrides);
  const impactOfTerm = ({ term, when, isBetter }: TermChange): CatalogImpact => {
    const isNow = when === 'immediately';
    const read = isNow ? all : staying;
    const concerned = ({ currency }: SubscriberGroup) => term !== 'unit_price' || follows.has(currency);
    return impactOf(read.filter(concerned), when, isBetter ? 'customer' : 'merchant', {
      read: countOf(read),
      ...(isNow && { now: ctx.clock.now() }),
    });
  };
  const terms = changes.map((one) => ({ term: one.term, impact: impactOfTerm(one) }));
  const first = firstImpact(terms) ?? noImpact;
  const charges = ({ enabled, overageEnabled, unlimited }: StoredTerms): boolean =>
    !plan.isFree && enabled && overageEnabled && !unlimited;
  const bills =
    feature.type === 'usage'
      ? await billChanges(
          ctx.sql,
          { plans: [{ planId: plan.id, featureId: feature.id }], addons: [] },
          first.when !== 'immediately',
          { ...edited, wasCharged: charges(stored), isCharged: charges(edited) },
        )
      : noBillChanges;
  return { ...first, inFavorOf: combinedFavor(terms), bills, terms };
}

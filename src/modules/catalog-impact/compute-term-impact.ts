import type { Context } from '../../context.ts';
import { isTakenFromBalance } from '../../domain/pricing/feature-cell.ts';
import { type TermChange, termChanges } from '../../domain/pricing/term-changes.ts';
import { editedTerms } from '../plan-features/attach.ts';
import { requirePlan } from '../plans/store.ts';
import { currentExchangeRates, currentFeatureRates } from '../regional-pricing/store.ts';
import {
  type CatalogImpact,
  countOf,
  type FeatureChange,
  type ImpactFavor,
  impactOf,
  nobody,
  type TermImpact,
} from './compute-impact.ts';
import { readSubscribers, type SubscriberGroup } from './store.ts';

/** The currencies in which the unit price of a feature is the one in US dollars, or follows it. */
async function followingCurrencies(
  ctx: Context,
  planId: string,
  featureId: string,
): Promise<ReadonlySet<string>> {
  const rates = await currentFeatureRates(ctx, planId);
  const own = new Set(
    rates.filter((rate) => rate.featureId === featureId && !rate.autoSynced).map(({ currency }) => currency),
  );
  const derived = (await currentExchangeRates(ctx, planId)).map(({ currency }) => currency);
  return new Set(['usd', ...derived].filter((currency) => !own.has(currency)));
}

/** Whom both concern together favor. */
function favorOfAll(terms: readonly TermImpact[]): ImpactFavor {
  const favors = new Set(terms.map(({ impact }) => impact.inFavorOf));
  const [only = 'neither'] = favors;
  return favors.size > 1 ? 'mixed' : only;
}

/** The term that is felt first, and of those felt then the one that concerns most. */
const firstFelt = (terms: readonly TermImpact[]): CatalogImpact | undefined =>
  terms
    .map(({ impact }) => impact)
    .toSorted(
      (a, b) =>
        Number(b.when === 'immediately') - Number(a.when === 'immediately') ||
        b.subscribers.value - a.subscribers.value,
    )[0];

/**
 * Whom new terms of a feature concern: immediately where they are better, else with the next period, term by term. A unit price concerns those
 * who pay in US dollars or in a currency that follows. Throws `plan_not_found`, `feature_not_found`, `not_found` for a feature the plan does not
 * have, and `validation_error` for terms it cannot have.
 */
export async function termImpact(ctx: Context, change: FeatureChange): Promise<CatalogImpact> {
  const { planId, ...provided } = change;
  const plan = await requirePlan(ctx, planId, 'planId');
  const { row, feature, stored, terms: edited } = await editedTerms(ctx, plan, provided);
  const { consumptionModel } = plan;
  const changes = termChanges(stored, edited, isTakenFromBalance({ type: feature.type, consumptionModel }));
  if (changes.length === 0) return nobody;
  const staying = await readSubscribers(ctx.sql, { planId: plan.id }, true);
  const all = changes.some(({ when }) => when === 'immediately')
    ? await readSubscribers(ctx.sql, { planId: plan.id }, false)
    : staying;
  const follows = await followingCurrencies(ctx, plan.id, row.featureId);
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
  const first = firstFelt(terms) ?? nobody;
  return { ...first, inFavorOf: favorOfAll(terms), terms };
}

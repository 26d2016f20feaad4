import type { Context } from '../../context.ts';
import { newId } from '../../infra/ids.ts';
import type { Row } from '../../infra/rows.ts';
import { nextSeq } from '../../transaction.ts';
import { beginningOfTime } from './service.ts';

// Rows that say from when to when they are in force (protocols B8): amounts of markets and currencies, unit prices, exchange rates. At most
// one per key has no end; changing it ends it and begins the next one. The plan's row is locked, and a partial unique index stands behind.

export type PriceOverrideRow = Row<'PlanPriceOverride'>;
export type FeatureRateRow = Row<'PlanFeatureRate'>;
export type ExchangeRateRow = Row<'PlanExchangeRate'>;

/** What an amount of a price says, besides when. */
export type OverrideFacts = Pick<
  PriceOverrideRow,
  'priceId' | 'marketId' | 'currency' | 'amountMinor' | 'includedBalanceRate' | 'autoSynced'
>;

/** What a unit price says, besides when. */
export type FeatureRateFacts = Pick<FeatureRateRow, 'planId' | 'featureId' | 'currency' | 'unitPriceRate' | 'autoSynced'>;

/** The columns of a row from now on in force: the first one of its key is valid from the beginning of time. */
async function beginning(context: Context, prefix: string, isFirst: boolean) {
  const validFrom = isFirst ? beginningOfTime : context.clock.now();
  return { id: newId(prefix), seq: await nextSeq(context), validFrom, validTo: null };
}

/** The amounts in force of these prices, in the order they were given. */
export const currentOverrides = (context: Context, priceIds: readonly string[]): Promise<PriceOverrideRow[]> =>
  context.db.planPriceOverride.findMany({ where: { priceId: { in: [...priceIds] }, validTo: null }, orderBy: { seq: 'asc' } });

/** The unit prices in force of a plan's features in other currencies. */
export const currentFeatureRates = (context: Context, planId: string): Promise<FeatureRateRow[]> =>
  context.db.planFeatureRate.findMany({ where: { planId, validTo: null }, orderBy: { seq: 'asc' } });

/** The exchange rates in force of a plan. */
export const currentExchangeRates = (context: Context, planId: string): Promise<ExchangeRateRow[]> =>
  context.db.planExchangeRate.findMany({ where: { planId, validTo: null }, orderBy: { seq: 'asc' } });

/** Ends amounts of prices now. */
export async function endOverrides(context: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await context.db.planPriceOverride.update({ where: { id: { in: [...ids] } }, data: { validTo: context.clock.now() } });
}

/** Puts an amount in force from now on, in the place of the one its price has in the market, or else in the currency. Nothing new changes nothing. */
export async function putOverride(context: Context, facts: OverrideFacts): Promise<void> {
  const { priceId, marketId, currency } = facts;
  const key = marketId === null ? { priceId, marketId, currency } : { priceId, marketId };
  const [last] = await context.db.planPriceOverride.findMany({ where: key, orderBy: { seq: 'desc' }, take: 1 });
  if (last?.validTo === null) {
    const { amountMinor, includedBalanceRate, autoSynced } = last;
    const isSame = last.currency === currency && amountMinor === facts.amountMinor && includedBalanceRate === facts.includedBalanceRate;
    if (isSame && autoSynced === facts.autoSynced) return;
    await endOverrides(context, [last.id]);
  }
  await context.db.planPriceOverride.create({ data: { ...(await beginning(context, 'ppo', last === undefined)), ...facts } });
}

/** Puts a unit price in force from now on, in the place of the one its feature has in the currency. Nothing new changes nothing. */
export async function putFeatureRate(context: Context, facts: FeatureRateFacts): Promise<void> {
  const { planId, featureId, currency } = facts;
  const [last] = await context.db.planFeatureRate.findMany({ where: { planId, featureId, currency }, orderBy: { seq: 'desc' }, take: 1 });
  if (last?.validTo === null) {
    if (last.unitPriceRate === facts.unitPriceRate && last.autoSynced === facts.autoSynced) return;
    await context.db.planFeatureRate.update({ where: { id: last.id }, data: { validTo: context.clock.now() } });
  }
  await context.db.planFeatureRate.create({ data: { ...(await beginning(context, 'pfr', last === undefined)), ...facts } });
}

/** Ends the unit prices of a plan's feature in other currencies now. */
export async function endFeatureRates(context: Context, pair: { readonly planId: string; readonly featureId: string }): Promise<void> {
  await context.db.planFeatureRate.update({ where: { ...pair, validTo: null }, data: { validTo: context.clock.now() } });
}

/** Puts an exchange rate in force from now on, in hundred-millionths. Nothing new changes nothing. */
export async function putExchangeRate(context: Context, planId: string, currency: string, rateE8: bigint): Promise<void> {
  const [last] = await context.db.planExchangeRate.findMany({ where: { planId, currency }, orderBy: { seq: 'desc' }, take: 1 });
  if (last?.rateE8 === rateE8) return;
  if (last !== undefined) {
    await context.db.planExchangeRate.update({ where: { id: last.id }, data: { validTo: context.clock.now() } });
  }
  await context.db.planExchangeRate.create({
    data: { ...(await beginning(context, 'per', last === undefined)), planId, currency, rateE8 },
  });
}

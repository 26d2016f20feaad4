import { validationError } from '../../../domain/errors/errors.ts';
import { workCosts } from '../../../graphql/declare/cost-weights.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import type { Context } from '../../../request/context.ts';
import { inTurn } from '../../../request/turn.ts';
import { withStoredSettlement } from '../../catalog/plan-features/read-settlement.ts';
import { BillingInterval } from '../../catalog/plans/enums.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import { cardImpact } from './compute-card-impact.ts';
import {
  addonImpact,
  archiveImpact,
  type CatalogImpact,
  deletionImpact,
  priceImpact,
  removalImpact,
} from './compute-impact.ts';
import { meterImpact } from './compute-meter-impact.ts';
import { rateImpact, termImpact } from './compute-term-impact.ts';
import { priceFor } from './find-price.ts';
import { CatalogChangeInput, CatalogImpactType } from './types/impact.ts';
import { PriceAnswerType } from './types/price-answer.ts';

builder.queryField('priceFor', (t) =>
  t.field({
    type: PriceAnswerType,
    description:
      "Returns the current price of a plan for a new customer, and the search steps that determine the price. The search first looks for an amount for the country's market, then for an amount in the currency, and finally for an amount in USD.",
    errors: [
      'plan_not_found',
      'no_prices_configured',
      'price_not_found',
      ['missing_regional_price', 'the price has no amount in the currency'],
    ],
    access: { scope: 'read' },
    args: {
      planId: t.arg.id({ required: true, description: 'Plan ID or plan code.' }),
      billingInterval: t.arg({
        type: BillingInterval,
        description: "Billing interval. Defaults to the interval of the plan's default price.",
      }),
      priceId: t.arg.id({
        description: 'ID of the price, such as a price variant. Defaults to the base price of the interval.',
      }),
      country: t.arg.string({
        rule: { format: 'country' },
        description:
          'Country of the customer as an uppercase ISO 3166-1 alpha-2 code. If omitted, no market applies.',
      }),
      currency: t.arg({
        type: Currency,
        description:
          'Currency that the customer must pay in. Defaults to the currency determined by the country.',
      }),
    },
    resolve: (_root, args, ctx) => priceFor(ctx, args),
  }),
);

type Change = typeof CatalogChangeInput.$inferInput;

function impactOf(ctx: Context, change: Change): Promise<CatalogImpact> {
  if (change.priceUpdate) return priceImpact(ctx, change.priceUpdate);
  if (change.priceArchive) return archiveImpact(ctx, change.priceArchive);
  if (change.featureRemove) return removalImpact(ctx, change.featureRemove);
  if (change.featureUpdate) return termImpact(ctx, withStoredSettlement(change.featureUpdate));
  if (change.featureRateSet) return rateImpact(ctx, change.featureRateSet);
  if (change.featureMeterSet) return meterImpact(ctx, change.featureMeterSet);
  if (change.planDelete) return deletionImpact(ctx, change.planDelete);
  if (change.addonUpdate) return addonImpact(ctx, change.addonUpdate);
  if (change.rateCardUpdate) return cardImpact(ctx, change.rateCardUpdate);
  throw validationError([{ field: 'change', message: 'must have exactly one field' }]);
}

builder.queryField('catalogImpact', (t) =>
  t.field({
    type: CatalogImpactType,
    description:
      'Returns the impact of a catalog change without making the change. The impact includes the affected subscriptions, the time at which the change takes effect, and whether the change favors customers or the merchant. Reads up to 10,000 subscriptions.',
    rest: { method: 'POST', path: '/catalog-impact', view: 'CatalogImpact' },
    errors: [
      'plan_not_found',
      'price_not_found',
      'feature_not_found',
      'addon_not_found',
      ['not_found', "the plan doesn't have the feature, or the rate card doesn't exist"],
      ['market_not_found', "the market of an override doesn't exist"],
    ],
    access: { scope: 'read' },
    args: {
      change: t.arg({ type: CatalogChangeInput, required: true, description: 'Catalog change to evaluate.' }),
    },
    complexity: { field: workCosts.impact },
    resolve: (_root, { change }, ctx) => inTurn(ctx, () => impactOf(ctx, change)),
  }),
);

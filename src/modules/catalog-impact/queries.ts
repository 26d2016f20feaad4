import type { Context } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import { builder } from '../../graphql/builder.ts';
import { Currency } from '../currencies/enums.ts';
import { BillingInterval } from '../plans/enums.ts';
import {
  addonImpact,
  archiveImpact,
  type CatalogImpact,
  deletionImpact,
  priceImpact,
  removalImpact,
} from './compute-impact.ts';
import { termImpact } from './compute-term-impact.ts';
import { priceFor } from './find-price.ts';
import { CatalogChangeInput, CatalogImpactType } from './types/impact.ts';
import { PriceAnswerType } from './types/price-answer.ts';

builder.queryField('priceFor', (t) =>
  t.field({
    type: PriceAnswerType,
    description:
      'What a new customer pays for a plan now, and the steps that led there: the amount of the market of the country, else in the currency, else in US dollars.',
    errors: ['plan_not_found', 'no_prices_configured', 'price_not_found', 'missing_regional_price'],
    access: { scope: 'read' },
    args: {
      planId: t.arg.id({ required: true, description: 'Id of the plan, else its code.' }),
      billingInterval: t.arg({
        type: BillingInterval,
        description: "How often the customer pays. Defaults to the interval of the plan's default price.",
      }),
      priceId: t.arg.id({ description: 'Id of the price, for a variant. Defaults to the base price.' }),
      country: t.arg.string({
        rule: { format: 'country' },
        description: 'ISO 3166-1 alpha-2 country of the customer. Without it the customer is in no market.',
      }),
      currency: t.arg({
        type: Currency,
        description:
          'The currency the customer is fixed to; `missing_regional_price` where the price has no amount in it. Defaults to what the country leads to.',
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
  if (change.featureUpdate) return termImpact(ctx, change.featureUpdate);
  if (change.planDelete) return deletionImpact(ctx, change.planDelete);
  if (change.addonUpdate) return addonImpact(ctx, change.addonUpdate);
  throw validationError([{ field: 'change', message: 'must have exactly one member' }]);
}

builder.queryField('catalogImpact', (t) =>
  t.field({
    type: CatalogImpactType,
    description:
      'Whom a change of the catalog would concern, when, and in whose favor. Nothing is changed. At most 10 000 subscriptions are read.',
    errors: ['plan_not_found', 'price_not_found', 'feature_not_found', 'addon_not_found', 'not_found'],
    access: { scope: 'read' },
    args: {
      change: t.arg({ type: CatalogChangeInput, required: true, description: 'The change.' }),
    },
    complexity: { field: 10 },
    resolve: (_root, { change }, ctx) => impactOf(ctx, change),
  }),
);

import type { TermName } from '../../../../domain/pricing/term-changes.ts';
import { columnsOf } from '../../../../graphql/declare/columns.ts';
import { restView } from '../../../../graphql/declare/rest.ts';
import { amountFromZero } from '../../../../graphql/declare/shapes.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { BoundedCountType } from '../../../../graphql/reading/pagination.ts';
import { FeatureMeterSetInput } from '../../../catalog/features/mutations.ts';
import { PlanFeatureRateSetInput } from '../../../catalog/plan-features/mutations/plan-feature.ts';
import { RateCardUpdateInput } from '../../../catalog/plan-features/mutations/rate-card.ts';
import { PlanFeatureUpdateInput } from '../../../catalog/plan-features/types.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { Subscription } from '../../subscriptions/types/subscription.ts';
import type { BillChange } from '../compute-bill-change.ts';
import type { CatalogImpact, ImpactFavor, ImpactTime, TermImpact } from '../compute-impact.ts';
import { loadSubscriptions } from '../load-related.ts';
import { maxSamples } from '../store.ts';

const ImpactTimeType = builder.enumType('CatalogImpactTime', {
  description: 'Time at which a catalog change takes effect.',
  values: {
    immediately: {
      description: "The change takes effect immediately, for each subscription's entire current period.",
    },
    at_renewal: { description: "The change takes effect at each subscription's next renewal." },
    at_next_period: {
      description: "The change takes effect at the start of each subscription's next period.",
    },
    new_subscriptions: {
      description: 'The change only applies to new subscriptions. Existing subscriptions keep their terms.',
    },
    never: { description: 'The change has no effect.' },
  } satisfies Record<ImpactTime, { description: string }>,
});

const ImpactFavorType = builder.enumType('CatalogImpactFavor', {
  description: 'Party that a catalog change favors.',
  values: {
    customer: { description: 'Customers pay less or get more.' },
    merchant: { description: 'Customers pay more or get less.' },
    mixed: { description: 'Some of the changed terms favor customers and others favor the merchant.' },
    neither: { description: 'The change favors neither customers nor the merchant.' },
  } satisfies Record<ImpactFavor, { description: string }>,
});

const PriceChangeInput = builder.inputType('CatalogPriceChangeInput', {
  description: 'Parameters for evaluating the impact of a new amount for a price.',
  fields: (t) => ({
    planId: t.id({ required: true, description: 'Plan ID or plan code.' }),
    priceId: t.id({
      required: true,
      description: 'ID of the price. Price variants change with their base price.',
    }),
    price: t.field({
      type: 'SafeInt',
      required: true,
      rule: amountFromZero,
      amount: 'MINOR',
      description: 'New amount in US cents, 0 or more.',
    }),
  }),
});

const PriceArchiveInput = builder.inputType('CatalogPriceArchiveInput', {
  description: 'Parameters for evaluating the impact of archiving a price.',
  fields: (t) => ({
    planId: t.id({ required: true, description: 'Plan ID or plan code.' }),
    priceId: t.id({ required: true, description: 'ID of the price.' }),
  }),
});

const FeatureRemovalInput = builder.inputType('CatalogFeatureRemovalInput', {
  description: 'Parameters for evaluating the impact of removing a feature from a plan.',
  fields: (t) => ({
    planId: t.id({ required: true, description: 'Plan ID or plan code.' }),
    featureId: t.id({ required: true, description: 'ID of the feature to remove.' }),
  }),
});

const PlanDeletionInput = builder.inputType('CatalogPlanDeletionInput', {
  description: 'Parameters for evaluating the impact of deleting a plan.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Plan ID or plan code.' }) }),
});

const AddonChangeInput = builder.inputType('CatalogAddonChangeInput', {
  description: 'Parameters for evaluating the impact of a new base price for an add-on.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Add-on ID or slug.' }),
    basePrice: t.field({
      type: 'SafeInt',
      required: true,
      rule: amountFromZero,
      amount: 'MINOR',
      description: 'New price per billing period in US cents, 0 or more.',
    }),
  }),
});

export const CatalogChangeInput = builder.inputType('CatalogChangeInput', {
  description: 'Catalog change to evaluate. Set exactly one field.',
  isOneOf: true,
  fields: (t) => ({
    priceUpdate: t.field({ type: PriceChangeInput, description: 'New amount of a price.' }),
    priceArchive: t.field({ type: PriceArchiveInput, description: 'Price to archive.' }),
    featureRemove: t.field({ type: FeatureRemovalInput, description: 'Feature to remove from a plan.' }),
    featureUpdate: t.field({
      type: PlanFeatureUpdateInput,
      description: 'New terms for a feature of a plan.',
    }),
    featureRateSet: t.field({
      type: PlanFeatureRateSetInput,
      description: 'New rate or rate card for a feature of a plan.',
    }),
    featureMeterSet: t.field({ type: FeatureMeterSetInput, description: 'New meter of a usage feature.' }),
    planDelete: t.field({ type: PlanDeletionInput, description: 'Plan to delete.' }),
    addonUpdate: t.field({ type: AddonChangeInput, description: 'New base price of an add-on.' }),
    rateCardUpdate: t.field({ type: RateCardUpdateInput, description: 'New rates of a rate card.' }),
  }),
});

const CatalogTermType = builder.enumType('CatalogTerm', {
  description: 'Term under which a plan includes a feature.',
  values: {
    enabled: { description: 'Whether subscribers can use the feature.' },
    included_amount: {
      description:
        'Units included in the price. For usage features, the number applies to each usage window.',
    },
    unlimited: { description: 'Whether usage of the feature is unlimited.' },
    overage_enabled: { description: 'Whether customers can use more than the included amount.' },
    unit_price: {
      description:
        'Price per unit above the included amount, or the amount deducted from the balance per unit.',
    },
    credits_per_unit: { description: 'Credits deducted per unit.' },
  } satisfies Record<TermName, { description: string }>,
});

const CatalogTermImpact = builder.objectRef<TermImpact>('CatalogTermImpact');

const CatalogBillChange = builder.objectRef<BillChange>('CatalogBillChange').implement({
  description:
    'Usage charges for the last ended usage windows in one currency, as they were billed and under the changed price.',
  fields: (t) => ({
    currency: t.member('currency', Currency).describe('Currency of the amounts.'),
    before: t
      .member('beforeMinor', 'MINOR')
      .describe(
        'Sum of the usage charges as they were billed, with all corrections, in the smallest currency unit. Before discounts and tax.',
      ),
    after: t
      .member('afterMinor', 'MINOR')
      .describe(
        'Sum of the usage charges that the changed price would have caused, in the smallest currency unit. Before discounts and tax.',
      ),
    windows: t
      .member('windows', 'Int')
      .describe('Number of usage windows in the sums. A subscription has one window for each feature.'),
  }),
});

export const CatalogImpactType = builder.objectRef<CatalogImpact>('CatalogImpact').implement({
  description: 'Impact of a catalog change.',
  fields: (t) => ({
    subscribers: t
      .member('subscribers', BoundedCountType)
      .describe(
        "Number of affected subscriptions that are trialing, active, or past due. Capped at 10,000. Unless the change takes effect immediately, subscriptions that end or change plan at the end of their current period aren't counted.",
      ),
    when: t.member('when', ImpactTimeType).describe('Time at which the change takes effect.'),
    inFavorOf: t.member('inFavorOf', ImpactFavorType).describe('Party that the change favors.'),
    firstAt: t
      .maybe('firstAt', 'DateTime')
      .describe(
        'Time at which the change takes effect for the first affected subscription. `null` if no subscription is affected.',
      ),
    lastAt: t
      .maybe('lastAt', 'DateTime')
      .describe(
        'Time at which the change takes effect for the last counted subscription. `null` if no subscription is affected.',
      ),
    lastBills: t.field({
      type: [CatalogBillChange],
      description:
        'Change of the last usage charges of the affected subscriptions, by currency. Covers the usage windows that ended at the start of the current usage windows, of up to 10,000 subscriptions. Empty if the change affects no usage charges.',
      resolve: ({ bills }) => [...bills.lastBills],
    }),
    unknownBills: t.field({
      type: 'Int',
      description:
        "Number of usage windows that `lastBills` doesn't contain, because the changed price has no amount in the currency or depends on values that the window doesn't distinguish. A new meter counts up to 100,000 stored events again; other windows aren't known, nor are windows whose total was set.",
      resolve: ({ bills }) => bills.unknown,
    }),
    terms: t
      .member('terms', [CatalogTermImpact])
      .describe(
        'Impact of each changed feature term, up to 6 values. The other fields describe the term that takes effect first. Empty if no feature term changes.',
      ),
    sample: t.field({
      type: [Subscription],
      description:
        'Sample of the affected subscriptions, sorted by the time at which the change takes effect.',
      args: {
        first: t.arg({
          type: 'Int',
          rule: { minimum: 1, maximum: maxSamples },
          description: `Number of subscriptions to return, from 1 to ${maxSamples}. Defaults to 3.`,
        }),
      },
      complexity: ({ first }) => ({ field: 1, multiplier: first ?? 3 }),
      resolve: ({ ids }, { first }, ctx, info) =>
        loadSubscriptions(ctx, ids.slice(0, first ?? 3), columnsOf(info)),
    }),
  }),
});

CatalogTermImpact.implement({
  description: 'Impact of a change to one feature term.',
  fields: (t) => ({
    term: t.member('term', CatalogTermType).describe('Feature term that changes.'),
    impact: t.member('impact', CatalogImpactType).describe('Impact of the change to the term.'),
  }),
});

const impact = `subscribers { value isExact } when inFavorOf firstAt lastAt
  lastBills { currency before after windows } unknownBills`;

restView('CatalogImpact', 'CatalogImpact', `${impact} terms { term impact { ${impact} } }`);

import type { TermName } from '../../../domain/pricing/term-changes.ts';
import { builder } from '../../../graphql/builder.ts';
import { columnsOf } from '../../../graphql/columns.ts';
import { BoundedCountType } from '../../../graphql/pagination.ts';
import { PlanFeatureUpdateInput } from '../../plan-features/types.ts';
import { Subscription } from '../../subscriptions/types/subscription.ts';
import type { CatalogImpact, ImpactFavor, ImpactTime, TermImpact } from '../compute-impact.ts';
import { loadSubscriptions } from '../load-related.ts';
import { mostSamples } from '../store.ts';

const ImpactTimeType = builder.enumType('CatalogImpactTime', {
  description: 'When a change of the catalog is felt.',
  values: {
    immediately: { description: 'Immediately, for the complete running period of each subscription.' },
    at_renewal: { description: 'At the next renewal of each subscription.' },
    at_next_period: { description: 'With the next period of each subscription.' },
    new_subscriptions: { description: 'By new subscriptions only; those counted keep what they have.' },
    never: { description: 'The change changes nothing.' },
  } satisfies Record<ImpactTime, { description: string }>,
});

const ImpactFavorType = builder.enumType('CatalogImpactFavor', {
  description: 'Whom a change of the catalog favors.',
  values: {
    customer: { description: 'Customers pay less or get more.' },
    merchant: { description: 'Customers pay more or get less.' },
    mixed: { description: 'Some of the changed terms favor customers and others the merchant.' },
    neither: { description: 'Nobody.' },
  } satisfies Record<ImpactFavor, { description: string }>,
});

const PriceChangeInput = builder.inputType('CatalogPriceChangeInput', {
  description: 'A new amount of a price.',
  fields: (t) => ({
    planId: t.id({ required: true, description: 'Id of the plan, else its code.' }),
    priceId: t.id({ required: true, description: 'Id of the price; variants follow their base.' }),
    price: t.field({
      type: 'SafeInt',
      required: true,
      rule: { minimum: 0 },
      amount: 'MINOR',
      description: 'The new amount in US cents, from 0 on.',
    }),
  }),
});

const PriceArchiveInput = builder.inputType('CatalogPriceArchiveInput', {
  description: 'A price to archive.',
  fields: (t) => ({
    planId: t.id({ required: true, description: 'Id of the plan, else its code.' }),
    priceId: t.id({ required: true, description: 'Id of the price.' }),
  }),
});

const FeatureRemovalInput = builder.inputType('CatalogFeatureRemovalInput', {
  description: 'A feature to remove from a plan.',
  fields: (t) => ({
    planId: t.id({ required: true, description: 'Id of the plan, else its code.' }),
    featureId: t.id({ required: true, description: 'Id of a feature of the plan.' }),
  }),
});

const PlanDeletionInput = builder.inputType('CatalogPlanDeletionInput', {
  description: 'A plan to delete.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the plan, else its code.' }) }),
});

const AddonChangeInput = builder.inputType('CatalogAddonChangeInput', {
  description: 'A new amount of an add-on.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the add-on, else its slug.' }),
    basePrice: t.field({
      type: 'SafeInt',
      required: true,
      rule: { minimum: 0 },
      amount: 'MINOR',
      description: 'The new amount in US cents per billing period, from 0 on.',
    }),
  }),
});

export const CatalogChangeInput = builder.inputType('CatalogChangeInput', {
  description: 'A change of the catalog: exactly one of the members.',
  isOneOf: true,
  fields: (t) => ({
    priceUpdate: t.field({ type: PriceChangeInput, description: 'A price gets a new amount.' }),
    priceArchive: t.field({ type: PriceArchiveInput, description: 'A price is archived.' }),
    featureRemove: t.field({ type: FeatureRemovalInput, description: 'A feature is removed from a plan.' }),
    featureUpdate: t.field({
      type: PlanFeatureUpdateInput,
      description: 'A feature of a plan gets new terms.',
    }),
    planDelete: t.field({ type: PlanDeletionInput, description: 'A plan is deleted.' }),
    addonUpdate: t.field({ type: AddonChangeInput, description: 'An add-on gets a new amount.' }),
  }),
});

const CatalogTermType = builder.enumType('CatalogTerm', {
  description: 'A term of a feature in a plan.',
  values: {
    enabled: { description: 'Whether the feature can be used.' },
    included_amount: { description: 'Units without extra charge.' },
    unlimited: { description: 'Whether any number of units can be used.' },
    overage_enabled: { description: 'Whether more than the included amount can be used.' },
    unit_price: { description: 'What a further unit costs, or takes from a balance.' },
    credits_per_unit: { description: 'Credits one unit takes.' },
  } satisfies Record<TermName, { description: string }>,
});

const CatalogTermImpact = builder.objectRef<TermImpact>('CatalogTermImpact');

export const CatalogImpactType = builder.objectRef<CatalogImpact>('CatalogImpact').implement({
  description: 'Whom a change of the catalog concerns, when, and in whose favor.',
  fields: (t) => ({
    subscribers: t.expose('subscribers', {
      type: BoundedCountType,
      description:
        'How many trialing, active and past-due subscriptions it concerns, counted up to 10 000. For what is felt later, those that end or change plan with their running period are left out.',
    }),
    when: t.expose('when', { type: ImpactTimeType, description: 'When they feel it.' }),
    inFavorOf: t.expose('inFavorOf', { type: ImpactFavorType, description: 'Whom it favors.' }),
    firstAt: t.expose('firstAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the first of them feels it; null where nobody does.',
    }),
    lastAt: t.expose('lastAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the last of those counted feels it; null where nobody does.',
    }),
    terms: t.expose('terms', {
      type: [CatalogTermImpact],
      description:
        'What each changed term of a feature means, up to six. The other fields are then those of the term that is felt first. Empty for other changes, and where no term changes.',
    }),
    sample: t.field({
      type: [Subscription],
      description: 'Some of them, the first to feel it first.',
      args: {
        first: t.arg({
          type: 'Int',
          rule: { minimum: 1, maximum: mostSamples },
          description: `How many, 1 to ${mostSamples}. Defaults to 3.`,
        }),
      },
      complexity: ({ first }) => ({ field: 1, multiplier: first ?? 3 }),
      resolve: ({ ids }, { first }, ctx, info) =>
        loadSubscriptions(ctx, ids.slice(0, first ?? 3), columnsOf(info)),
    }),
  }),
});

CatalogTermImpact.implement({
  description: 'What the change of one term of a feature means.',
  fields: (t) => ({
    term: t.expose('term', { type: CatalogTermType, description: 'The term.' }),
    impact: t.expose('impact', {
      type: CatalogImpactType,
      description: 'Whom the change of this term concerns, when, and in whose favor.',
    }),
  }),
});

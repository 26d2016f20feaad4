import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';
import { AddonConsumptionModel } from '../add-ons/types.ts';
import { Currency } from '../currencies/enums.ts';
import { FeatureType } from '../features/types.ts';
import { type AddonActivationRow, loadAddonFeature, loadHeldAddonTerms, loadRenewalPrice } from './store.ts';

export const SubscriptionAddonStatus = builder.enumType('SubscriptionAddonStatus', {
  description: 'Whether a subscription has an add-on.',
  values: {
    active: { description: 'It has it, and pays for it at each renewal.' },
    inactive: { description: 'It was switched off.' },
  } as const,
});

export const SubscriptionAddon = builder.prismaObject('AddonActivation', {
  ...node({ prefix: 'ada' }),
  name: 'SubscriptionAddon',
  description: 'An add-on on a subscription, from its activation on.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier of the activation, `ada_…`.' }),
    addonId: t.exposeID('addonId', { description: 'Id of the add-on.' }),
    status: t.expose('status', {
      type: SubscriptionAddonStatus,
      description: 'Whether the subscription still has it.',
    }),
    slug: t.fromRow('addon', {
      columns: ['slug'],
      type: 'String',
      description: 'Slug of the add-on.',
      resolve: ({ slug }) => slug,
    }),
    name: t.fromRow('addon', {
      columns: ['name'],
      type: 'String',
      description: 'Name of the add-on.',
      resolve: ({ name }) => name,
    }),
    basePrice: t.computed({
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'What a renewal charges for it as the catalog and its exchange rates stand now, minor units of `currency`.',
      columns: ['addonId', 'subscriptionId'],
      resolve: async (row, _args, ctx) => (await loadRenewalPrice(ctx, row)).amountMinor,
    }),
    currency: t.computed({
      type: Currency,
      description:
        'Currency of `basePrice`: that of the subscription, `usd` where its plan has no exchange rate for it.',
      columns: ['addonId', 'subscriptionId'],
      resolve: async (row, _args, ctx) => (await loadRenewalPrice(ctx, row)).currency,
    }),
    includedUnits: t.computed({
      type: 'SafeInt',
      description: 'Units per window without extra charge in the running period; 0 unless metered.',
      columns: ['addonId', 'subscriptionId', 'createdAt', 'deactivatedAt'],
      resolve: async (row, _args, ctx) => (await loadHeldAddonTerms(ctx, row)).includedUnits ?? 0n,
    }),
    overageRate: t.computed({
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description:
        'Price of one further unit in the running period, 10 000 is 1.00 USD; null unless metered or balance.',
      columns: ['addonId', 'subscriptionId', 'createdAt', 'deactivatedAt'],
      resolve: async (row, _args, ctx) => (await loadHeldAddonTerms(ctx, row)).overageRate,
    }),
    featureCode: t.computed({
      type: 'String',
      description: 'Code of its feature.',
      columns: ['addonId'],
      resolve: async ({ addonId }, _args, ctx) => (await loadAddonFeature(ctx, addonId)).code,
    }),
    featureName: t.computed({
      type: 'String',
      description: 'Name of its feature.',
      columns: ['addonId'],
      resolve: async ({ addonId }, _args, ctx) => (await loadAddonFeature(ctx, addonId)).name,
    }),
    featureType: t.computed({
      type: FeatureType,
      description: 'Type of its feature.',
      columns: ['addonId'],
      resolve: async ({ addonId }, _args, ctx) => (await loadAddonFeature(ctx, addonId)).type,
    }),
    consumptionModel: t.fromRow('addon', {
      columns: ['consumptionModel'],
      type: AddonConsumptionModel,
      description: 'How its units are paid for.',
      resolve: ({ consumptionModel }) => consumptionModel,
    }),
    proratedCharge: t.expose('proratedMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        "What the rest of the billing period cost when it was switched on, before tax; minor units of the subscription's currency.",
    }),
    activatedAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of the activation.' }),
    deactivatedAt: t.expose('deactivatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was switched off; null while active.',
    }),
    addon: t.row('addon', { description: 'The add-on as the catalog has it now.' }),
    object: t.string({ description: 'Always `subscription_addon`.', resolve: () => 'subscription_addon' }),
    livemode: t.livemode(),
  }),
});

export const SubscriptionAddonConnection = connectionOf(
  'SubscriptionAddon',
  SubscriptionAddon,
  'add-ons of a subscription',
);

builder.prismaObjectField('Subscription', 'addons', (t) =>
  t.page('addonActivations', {
    description: 'The add-ons it has or, with `inactive`, had.',
    where: { status: 'active' },
    filter: {
      status: t.arg({
        type: SubscriptionAddonStatus,
        description: 'Only those with this status. Defaults to `active`.',
      }),
    },
  }),
);

restView(
  'ActiveAddon',
  'SubscriptionAddon',
  'slug name basePrice featureCode featureName featureType consumptionModel activatedAt object livemode',
);

restView('SubscriptionAddon', 'SubscriptionAddon', 'addonId status proratedCharge object livemode');

export const SubscriptionAddonDeactivation = builder
  .objectRef<AddonActivationRow>('SubscriptionAddonDeactivation')
  .implement({
    description: 'An add-on that was switched off.',
    fields: (t) => ({
      addonId: t.exposeID('addonId', { description: 'Id of the add-on.' }),
      status: t.expose('status', { type: SubscriptionAddonStatus, description: 'Always `inactive`.' }),
      deactivatedAt: t.expose('deactivatedAt', {
        type: 'DateTime',
        nullable: true,
        description: 'When it was switched off; never null.',
      }),
      object: t.string({ description: 'Always `subscription_addon`.', resolve: () => 'subscription_addon' }),
      livemode: t.livemode(),
    }),
  });

restView(
  'DeletedSubscriptionAddon',
  'SubscriptionAddonDeactivation',
  'id: addonId status deactivatedAt object livemode',
);

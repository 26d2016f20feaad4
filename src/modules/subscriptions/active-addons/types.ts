import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { AddonConsumptionModel } from '../../catalog/add-ons/types.ts';
import { FeatureType } from '../../catalog/features/types.ts';
import { appliedRate, Rate } from '../../catalog/rates/types.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import {
  type AddonActivationRow,
  loadAddonFeature,
  loadHeldAddonTerms,
  loadRenewalPrice,
  loadUnitPrice,
} from './store.ts';

const SubscriptionAddonStatus = builder.enumType('SubscriptionAddonStatus', {
  description: 'Status of an add-on on a subscription.',
  values: {
    active: { description: 'The add-on is active and is charged at each renewal.' },
    inactive: { description: 'The add-on was removed.' },
  } as const,
});

export const SubscriptionAddon = builder.prismaObject('AddonActivation', {
  ...node({ prefix: 'ada' }),
  name: 'SubscriptionAddon',
  description: 'Add-on of a subscription, active or removed.',
  fields: (t) => ({
    ...t.columns('id', 'addonId', 'status'),
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
        'Renewal price at current catalog prices and exchange rates, in the smallest unit of `currency`.',
      columns: ['addonId', 'subscriptionId'],
      resolve: async (row, _args, ctx) => (await loadRenewalPrice(ctx, row)).amountMinor,
    }),
    currency: t.computed({
      type: Currency,
      description:
        "Currency of `basePrice`: the subscription's currency, or `usd` if the plan has no exchange rate for that currency.",
      columns: ['addonId', 'subscriptionId'],
      resolve: async (row, _args, ctx) => (await loadRenewalPrice(ctx, row)).currency,
    }),
    includedUnits: t.computed({
      type: 'SafeInt',
      description:
        'Number of units included in each usage window of the current period. 0 unless the consumption model is metered.',
      columns: ['addonId', 'subscriptionId', 'createdAt', 'deactivatedAt'],
      resolve: async (row, _args, ctx) => (await loadHeldAddonTerms(ctx, row)).includedUnits ?? 0n,
    }),
    overageRate: t.computed({
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description:
        'Price of the first unit of overage in the current period, rounded, in ten-thousandths of a US dollar (10,000 = 1.00). `null` unless the consumption model is `metered` or `balance`.',
      columns: ['addonId', 'subscriptionId', 'createdAt', 'deactivatedAt'],
      resolve: (row, _args, ctx) => loadUnitPrice(ctx, row),
    }),
    rate: t.computed({
      type: Rate,
      nullable: true,
      description:
        'Price of units above the included units in the current period, in US dollars, or in credits if the consumption model is `credits`. After a change in the current period, the rate with the lower price for the first unit. `null` if the consumption model is `boolean`.',
      columns: ['addonId', 'subscriptionId', 'createdAt', 'deactivatedAt'],
      resolve: async (row, _args, ctx) => appliedRate((await loadHeldAddonTerms(ctx, row)).rates, 1n, false),
    }),
    featureCode: t.computed({
      type: 'String',
      description: "Code of the add-on's feature.",
      columns: ['addonId'],
      resolve: async ({ addonId }, _args, ctx) => (await loadAddonFeature(ctx, addonId)).code,
    }),
    featureName: t.computed({
      type: 'String',
      description: "Name of the add-on's feature.",
      columns: ['addonId'],
      resolve: async ({ addonId }, _args, ctx) => (await loadAddonFeature(ctx, addonId)).name,
    }),
    featureType: t.computed({
      type: FeatureType,
      description: "Type of the add-on's feature.",
      columns: ['addonId'],
      resolve: async ({ addonId }, _args, ctx) => (await loadAddonFeature(ctx, addonId)).type,
    }),
    consumptionModel: t.fromRow('addon', {
      columns: ['consumptionModel'],
      type: AddonConsumptionModel,
      description: 'Consumption model of the add-on.',
      resolve: ({ consumptionModel }) => consumptionModel,
    }),
    proratedCharge: t.column('proratedMinor'),
    activatedAt: t.column('createdAt'),
    ...t.columns('deactivatedAt'),
    addon: t.row('addon', { description: 'Add-on, as currently defined in the catalog.' }),
    ...t.resource('subscription_addon'),
  }),
});

export const SubscriptionAddonConnection = connectionOf(
  'SubscriptionAddon',
  SubscriptionAddon,
  "a subscription's add-ons",
);

builder.prismaObjectField('Subscription', 'addons', (t) =>
  t.page('addonActivations', {
    description: 'Add-ons of the subscription. Returns active add-ons by default.',
    where: { status: 'active' },
    filter: {
      status: t.arg({
        type: SubscriptionAddonStatus,
        description: 'Filters by status. Defaults to `active`.',
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
    description: 'Add-on that was removed from a subscription.',
    fields: (t) => ({
      addonId: t.member('addonId', 'ID').describe('ID of the add-on.'),
      status: t.member('status', SubscriptionAddonStatus).describe('Always `inactive`.'),
      deactivatedAt: t
        .maybe('deactivatedAt', 'DateTime')
        .describe('Time at which the add-on was removed. Never `null`.'),
      ...t.resource('subscription_addon'),
    }),
  });

restView(
  'DeletedSubscriptionAddon',
  'SubscriptionAddonDeactivation',
  'id: addonId status deactivatedAt object livemode',
);

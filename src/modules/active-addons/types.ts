import type { Context } from '../../context.ts';
import { builder } from '../../graphql/builder.ts';
import { loadExistingRow, loadPageBy } from '../../graphql/loaders.ts';
import { connectionOf, pageArgs } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';
import type { Row } from '../../infra/rows.ts';
import type { AddonRow } from '../add-ons/service.ts';
import { Addon, AddonConsumptionModel } from '../add-ons/types.ts';
import { FeatureType } from '../features/types.ts';
import { type AddonActivationRow, loadHeldAddonTerms, loadRenewalPrice } from './service.ts';

type Activation = Pick<AddonActivationRow, 'addonId'>;

const addonOf = ({ addonId }: Activation, context: Context): Promise<AddonRow> => loadExistingRow(context, 'Addon', addonId);

const featureOf = async (activation: Activation, context: Context): Promise<Row<'Feature'>> =>
  loadExistingRow(context, 'Feature', (await addonOf(activation, context)).featureId);

export const SubscriptionAddonStatus = builder.enumType('SubscriptionAddonStatus', {
  description: 'Whether a subscription has an add-on.',
  values: {
    active: { description: 'It has it, and pays for it at each renewal.' },
    inactive: { description: 'It was switched off.' },
  } as const,
});

export const SubscriptionAddon = builder.prismaObject('AddonActivation', {
  name: 'SubscriptionAddon',
  description: 'An add-on on a subscription, from its activation on.',
  fields: (t) => ({
    addonId: t.exposeID('addonId', { description: 'Id of the add-on.' }),
    status: t.expose('status', { type: SubscriptionAddonStatus, description: 'Whether the subscription still has it.' }),
    slug: t.string({ description: 'Slug of the add-on.', resolve: async (row, _args, context) => (await addonOf(row, context)).slug }),
    name: t.string({ description: 'Name of the add-on.', resolve: async (row, _args, context) => (await addonOf(row, context)).name }),
    basePrice: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What a renewal charges for it as the catalogue and its exchange rates stand now, minor units of `currency`.',
      resolve: async (row, _args, context) => (await loadRenewalPrice(context, row)).amountMinor,
    }),
    currency: t.string({
      description: 'Currency of `basePrice`: that of the subscription, `usd` where its plan has no exchange rate for it.',
      resolve: async (row, _args, context) => (await loadRenewalPrice(context, row)).currency,
    }),
    includedUnits: t.field({
      type: 'SafeInt',
      description: 'Units per window without extra charge in the running period; 0 unless metered.',
      resolve: async (row, _args, context) => (await loadHeldAddonTerms(context, row)).includedUnits ?? 0n,
    }),
    overageRate: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description: 'Price of one further unit in the running period, 10 000 is 1.00 USD; null unless metered or balance.',
      resolve: async (row, _args, context) => (await loadHeldAddonTerms(context, row)).overageRate,
    }),
    featureCode: t.string({
      description: 'Code of its feature.',
      resolve: async (row, _args, context) => (await featureOf(row, context)).code,
    }),
    featureName: t.string({
      description: 'Name of its feature.',
      resolve: async (row, _args, context) => (await featureOf(row, context)).name,
    }),
    featureType: t.field({
      type: FeatureType,
      description: 'Type of its feature.',
      resolve: async (row, _args, context) => (await featureOf(row, context)).type,
    }),
    consumptionModel: t.field({
      type: AddonConsumptionModel,
      description: 'How its units are paid for.',
      resolve: async (row, _args, context) => (await addonOf(row, context)).consumptionModel,
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
    addon: t.field({
      type: Addon,
      description: 'The add-on as the catalogue has it now.',
      resolve: (row, _args, context) => addonOf(row, context),
    }),
    object: t.string({ description: 'Always `subscription_addon`.', resolve: () => 'subscription_addon' }),
    livemode: t.boolean({ description: 'True for live data.', resolve: (_row, _args, context) => context.livemode }),
  }),
});

export const SubscriptionAddonConnection = connectionOf('SubscriptionAddon', SubscriptionAddon, 'add-ons of a subscription');

builder.prismaObjectField('Subscription', 'addons', (t) =>
  t.field({
    type: SubscriptionAddonConnection,
    description: 'The add-ons it has or, asked for `inactive`, had.',
    args: {
      ...pageArgs(),
      status: t.arg({ type: SubscriptionAddonStatus, description: 'Only those with this status; `active` unless told.' }),
    },
    resolve: ({ id }, args, context) =>
      loadPageBy(context, 'AddonActivation', 'subscriptionId', id, args, { status: args.status ?? 'active' }),
  }),
);

restView(
  'ActiveAddon',
  'SubscriptionAddon',
  'slug name basePrice featureCode featureName featureType consumptionModel activatedAt object livemode',
);

restView('SubscriptionAddon', 'SubscriptionAddon', 'addonId status proratedCharge object livemode');

export const SubscriptionAddonDeactivation = builder.objectRef<AddonActivationRow>('SubscriptionAddonDeactivation').implement({
  description: 'An add-on that was switched off.',
  fields: (t) => ({
    id: t.exposeID('addonId', { description: 'Id of the add-on.' }),
    status: t.expose('status', { type: SubscriptionAddonStatus, description: 'Always `inactive`.' }),
    deactivatedAt: t.expose('deactivatedAt', { type: 'DateTime', nullable: true, description: 'When it was switched off; never null.' }),
    object: t.string({ description: 'Always `subscription_addon`.', resolve: () => 'subscription_addon' }),
    livemode: t.boolean({ description: 'True for live data.', resolve: (_row, _args, context) => context.livemode }),
  }),
});

restView('DeletedSubscriptionAddon', 'SubscriptionAddonDeactivation', 'id status deactivatedAt object livemode');

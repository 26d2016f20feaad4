import { builder } from '../../../graphql/builder.ts';
import { Currency } from '../../currencies/enums.ts';
import { loadFeatureName } from '../../features/store.ts';
import type { HeldAddon, OfferedAddon, OfferedPack } from '../load-extras.ts';

const due = 'What buying it charges now, tax included, minor units of `currency`';
const currency = 'Lower-case ISO 4217 code of the amount.';

export const PortalOfferedAddon = builder.objectRef<OfferedAddon>('PortalOfferedAddon').implement({
  description: 'An add-on a customer can switch on.',
  fields: (t) => ({
    addonId: t.id({ description: 'Names it in `portalAddonActivate`.', resolve: ({ row }) => row.id }),
    name: t.string({ description: 'What it is called.', resolve: ({ row }) => row.name }),
    description: t.string({
      description: 'What it is; empty when nothing is said.',
      resolve: ({ row }) => row.description,
    }),
    featureName: t.string({
      description: 'The feature it brings.',
      resolve: ({ row }, _args, ctx) => loadFeatureName(ctx, row.featureId),
    }),
    amountDue: t.expose('dueMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: `${due}: the days that are left of the billing period. Each renewal charges it whole.`,
    }),
    currency: t.expose('currency', { type: Currency, description: currency }),
  }),
});

export const PortalAddon = builder.objectRef<HeldAddon>('PortalAddon').implement({
  description: 'An add-on a customer has switched on.',
  fields: (t) => ({
    addonId: t.id({ description: 'Names it in `portalAddonDeactivate`.', resolve: ({ addon }) => addon.id }),
    name: t.string({ description: 'What it is called.', resolve: ({ addon }) => addon.name }),
    since: t.expose('since', { type: 'DateTime', description: 'When it was switched on.' }),
  }),
});

export const PortalCreditPack = builder.objectRef<OfferedPack>('PortalCreditPack').implement({
  description: 'Credits a customer can buy.',
  fields: (t) => ({
    creditPackId: t.id({ description: 'Names it in `portalCreditsPurchase`.', resolve: ({ row }) => row.id }),
    name: t.string({ description: 'What it is called.', resolve: ({ row }) => row.name }),
    credits: t.field({
      type: 'SafeInt',
      description: 'Credits it adds; they never expire.',
      resolve: ({ row }) => row.credits,
    }),
    amountDue: t.expose('dueMinor', { type: 'SafeInt', amount: 'MINOR', description: `${due}.` }),
    currency: t.expose('currency', { type: Currency, description: currency }),
  }),
});

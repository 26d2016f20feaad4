import { builder } from '../../../../graphql/reading/builder.ts';
import { loadFeatureName } from '../../../catalog/features/store.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { PricingPageRate } from '../../offered-rates/types.ts';
import type { HeldAddon, OfferedAddon, OfferedPack } from '../load-extras.ts';

const units = {
  included: 'Units included in the price, per usage window. 0 if the add-on includes no units.',
  rate: 'Price of units above the included units. `null` if units have no price.',
} as const;

const currency = 'Currency of the amount, as a lowercase ISO 4217 code.';

export const PortalOfferedAddon = builder.objectRef<OfferedAddon>('PortalOfferedAddon').implement({
  description: 'Add-on that a customer can add.',
  fields: (t) => ({
    addonId: t.id({
      description: 'ID of the add-on, as sent to `portalAddonActivate`.',
      resolve: ({ row }) => row.id,
    }),
    name: t.string({ description: 'Name of the add-on.', resolve: ({ row }) => row.name }),
    description: t.string({
      description: 'Description of the add-on. Empty if not set.',
      resolve: ({ row }) => row.description,
    }),
    featureName: t.string({
      description: "Name of the add-on's feature.",
      resolve: ({ row }, _args, ctx) => loadFeatureName(ctx, row.featureId),
    }),
    amountDue: t
      .member('dueMinor', 'MINOR')
      .describe(
        'Amount charged now for the rest of the billing period, including tax, in the smallest unit of `currency`. Each renewal charges the full price.',
      ),
    currency: t.member('currency', Currency).describe(currency),
    includedUnits: t.member('included', 'SafeInt').describe(units.included),
    rate: t.maybe('rate', PricingPageRate).describe(units.rate),
  }),
});

export const PortalAddon = builder.objectRef<HeldAddon>('PortalAddon').implement({
  description: 'Active add-on of a customer.',
  fields: (t) => ({
    addonId: t.id({
      description: 'ID of the add-on, as sent to `portalAddonDeactivate`.',
      resolve: ({ addon }) => addon.id,
    }),
    name: t.string({ description: 'Name of the add-on.', resolve: ({ addon }) => addon.name }),
    since: t.member('since', 'DateTime').describe('Time at which the add-on was added.'),
    includedUnits: t.member('included', 'SafeInt').describe(units.included),
    rate: t.maybe('rate', PricingPageRate).describe(units.rate),
  }),
});

export const PortalCreditPack = builder.objectRef<OfferedPack>('PortalCreditPack').implement({
  description: 'Credit pack that a customer can purchase.',
  fields: (t) => ({
    creditPackId: t.id({
      description: 'ID of the credit pack, as sent to `portalCreditsPurchase`.',
      resolve: ({ row }) => row.id,
    }),
    name: t.string({ description: 'Name of the credit pack.', resolve: ({ row }) => row.name }),
    asset: t.string({
      description: 'Code of the unit that the pack sells: `credits` or a custom unit.',
      resolve: ({ row }) => row.asset,
    }),
    credits: t.field({
      type: 'SafeInt',
      description:
        'Number of credits in the pack. If `asset` is a custom unit, in the smallest amount of the unit.',
      resolve: ({ row }) => row.credits,
    }),
    validDays: t.int({
      nullable: true,
      description:
        "Number of days for which purchased credits are valid. `null` if purchased credits don't expire.",
      resolve: ({ row }) => row.validDays,
    }),
    amountDue: t
      .member('dueMinor', 'MINOR')
      .describe('Amount charged now, including tax, in the smallest unit of `currency`.'),
    currency: t.member('currency', Currency).describe(currency),
  }),
});

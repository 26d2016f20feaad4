import { exponentOf } from '../../../../domain/money/money.ts';
import type { DiscountPhase } from '../../../../domain/offers/terms.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { OfferPhaseType } from '../../../catalog/offers/enums.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { UpcomingCharge } from '../../../subscriptions/subscriptions/types/upcoming-charge.ts';
import type { RetainedCharge, RetentionOffer } from '../load-retention-offer.ts';

const PortalRetainedCharge = builder.objectRef<RetainedCharge>('PortalRetainedCharge').implement({
  description: 'Upcoming charge with the retention offer, and its amount without the offer.',
  fields: (t) => ({
    charge: t
      .member('charge', UpcomingCharge)
      .describe('Upcoming charge if the customer accepts the retention offer.'),
    amountWithout: t
      .member('withoutMinor', 'MINOR')
      .describe('Amount of the charge without the offer, including tax, in the smallest currency unit.'),
  }),
});

const instant = (text: string | null): Date | null => (text === null ? null : new Date(text));

const PortalRetentionPhase = builder.objectRef<DiscountPhase>('PortalRetentionPhase').implement({
  description: 'Phase of the retention offer, with its value and dates.',
  fields: (t) => ({
    type: t.member('type', OfferPhaseType).describe('Type of the phase. Never `free_trial`.'),
    percentage: t.int({
      nullable: true,
      description:
        "Discount on the plan's price, in basis points; 10,000 = 100%. `null` unless the phase is a percentage discount.",
      resolve: (phase) => (phase.type === 'percentage' ? phase.percentage : null),
    }),
    amount: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description:
        "Discount on the plan's price, in the smallest currency unit. `null` unless the phase is an amount discount.",
      resolve: (phase) => (phase.type === 'amount_off' ? phase.amount : null),
    }),
    price: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description:
        "Price that replaces the plan's price, in the smallest currency unit. `null` unless the phase is a fixed price.",
      resolve: (phase) => (phase.type === 'fixed_price' ? phase.price : null),
    }),
    durationCycles: t
      .maybe('durationCycles', 'Int')
      .describe('Duration of the phase in billing periods. `null` if the phase has no end.'),
    startsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the phase starts. `null` if the previous phase has no end.',
      resolve: ({ startsAt }) => instant(startsAt),
    }),
    endsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the phase ends. `null` if the phase has no end.',
      resolve: ({ endsAt }) => instant(endsAt),
    }),
  }),
});

export const PortalRetentionOffer = builder.objectRef<RetentionOffer>('PortalRetentionOffer').implement({
  description:
    "Retention offer for a customer who is about to cancel, with the charges that would follow. The offer isn't applied yet.",
  fields: (t) => ({
    key: t
      .member('key', 'String')
      .describe(
        'Key that identifies the terms, as sent to `portalRetentionOfferAccept`. The key changes if the terms change.',
      ),
    name: t.string({
      description: 'Name of the offer.',
      resolve: ({ application }) => application.name,
    }),
    currency: t.member('currency', Currency).describe('Lowercase ISO 4217 code of the amounts.'),
    currencyDecimals: t.int({
      description: 'Number of decimal places in the currency: 0, 2, or 3.',
      resolve: ({ currency }) => exponentOf(currency),
    }),
    phases: t.field({
      type: [PortalRetentionPhase],
      description: 'Phases of the offer in order, with the dates that apply if the offer is accepted now.',
      resolve: ({ application }) => application.phases.filter((phase) => phase.type !== 'free_trial'),
    }),
    charges: t
      .member('charges', [PortalRetainedCharge])
      .describe('Upcoming charges until the last phase ends. Up to 12.'),
    saving: t
      .member('savingMinor', 'MINOR')
      .describe(
        'Total savings over all `charges` compared with the amounts without the offer, including tax, in the smallest currency unit. Greater than 0.',
      ),
    endsAt: t
      .maybe('endsAt', 'DateTime')
      .describe('Time at which the last phase of the offer ends. `null` if the last phase has no end.'),
    revokesCancellation: t
      .member('revokesCancellation', 'Boolean')
      .describe('Whether accepting the offer revokes a scheduled cancellation.'),
  }),
});

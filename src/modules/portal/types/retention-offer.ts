import { exponentOf } from '../../../domain/money.ts';
import type { DiscountPhase } from '../../../domain/offers/terms.ts';
import { builder } from '../../../graphql/builder.ts';
import { Currency } from '../../currencies/enums.ts';
import { OfferPhaseType } from '../../offers/enums.ts';
import { UpcomingCharge } from '../../subscriptions/types/upcoming-charge.ts';
import type { RetainedCharge, RetentionOffer } from '../load-retention-offer.ts';

const PortalRetainedCharge = builder.objectRef<RetainedCharge>('PortalRetainedCharge').implement({
  description: 'A charge with the offer to stay.',
  fields: (t) => ({
    charge: t.expose('charge', { type: UpcomingCharge, description: 'The charge with the offer.' }),
    amountWithout: t.expose('withoutMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What it would come to without the offer, tax included, minor units.',
    }),
  }),
});

const instant = (text: string | null): Date | null => (text === null ? null : new Date(text));

const PortalRetentionPhase = builder.objectRef<DiscountPhase>('PortalRetentionPhase').implement({
  description: 'One phase of the offer to stay, with its value and dates.',
  fields: (t) => ({
    type: t.expose('type', { type: OfferPhaseType, description: 'What it does; never `free_trial`.' }),
    percentage: t.int({
      nullable: true,
      description: 'Off the plan base, basis points: 5000 is half. Null for other types.',
      resolve: (phase) => (phase.type === 'percentage' ? phase.percentage : null),
    }),
    amount: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description: 'Off the plan base, minor units. Null for other types.',
      resolve: (phase) => (phase.type === 'amount_off' ? phase.amount : null),
    }),
    price: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description: 'In place of the plan base, minor units. Null for other types.',
      resolve: (phase) => (phase.type === 'fixed_price' ? phase.price : null),
    }),
    durationCycles: t.expose('durationCycles', {
      type: 'Int',
      nullable: true,
      description: 'How many billing periods it lasts; null for an open end.',
    }),
    startsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it would begin; null where the phase before has no end.',
      resolve: ({ startsAt }) => instant(startsAt),
    }),
    endsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it would end; null for an open end.',
      resolve: ({ endsAt }) => instant(endsAt),
    }),
  }),
});

export const PortalRetentionOffer = builder.objectRef<RetentionOffer>('PortalRetentionOffer').implement({
  description:
    'The offer a customer who is about to leave is made, with what would be charged, worked out by the decision that would apply it. Nothing of it has happened.',
  fields: (t) => ({
    key: t.exposeString('key', {
      description: 'Names these terms; `portalRetentionOfferAccept` takes it. Other terms have another key.',
    }),
    name: t.string({
      description: 'What the terms are called.',
      resolve: ({ application }) => application.name,
    }),
    currency: t.expose('currency', {
      type: Currency,
      description: 'Lower-case ISO 4217 code of the amounts.',
    }),
    currencyDecimals: t.int({
      description: 'Decimals of the currency: 0 or 2.',
      resolve: ({ currency }) => exponentOf(currency),
    }),
    phases: t.field({
      type: [PortalRetentionPhase],
      description: 'In order, with the dates they would have.',
      resolve: ({ application }) => application.phases.filter((phase) => phase.type !== 'free_trial'),
    }),
    charges: t.field({
      type: [PortalRetainedCharge],
      description: 'The next charges until the last phase ends, 12 at most.',
      resolve: ({ charges }) => [...charges],
    }),
    saving: t.expose('savingMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What `charges` come to less than without the offer, tax included, minor units; above 0.',
    }),
    endsAt: t.expose('endsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the last phase ends; null for an open end.',
    }),
    revokesCancellation: t.exposeBoolean('revokesCancellation', {
      description: 'Whether accepting it takes back a cancellation that is scheduled.',
    }),
  }),
});

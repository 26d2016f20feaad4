import type { ApplicationPhase } from '../../domain/subscription/state/rows.ts';
import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { Currency } from '../currencies/enums.ts';
import { OfferPhaseType, RecurringInterval } from '../offers/enums.ts';
import { OfferApplicationSource, OfferApplicationStatus } from './enums.ts';
import type { ProvidedOffer } from './store.ts';

type PhaseOf<T extends ApplicationPhase['type']> = Extract<ApplicationPhase, { type: T }>;

const shared = {
  durationInterval:
    'The interval cycles are counted in; null when the benefit does not count cycles of its own.',
  startsAt: 'When it begins; null while the application is quoted.',
  endsAt: 'When it ends; null while the application is quoted, and for an open end.',
  durationCycles: 'How many cycles it lasts; null for an open end.',
} as const;

const instant = (text: string | null): Date | null => (text === null ? null : new Date(text));

const FreeTrialPhase = builder.objectRef<PhaseOf<'free_trial'>>('SubscriptionFreeTrialPhase').implement({
  description: 'Days without charge.',
  fields: (t) => ({
    type: t.expose('type', { type: OfferPhaseType, description: 'Always `free_trial`.' }),
    durationDays: t.expose('durationDays', { type: 'Int', description: 'How many days, at least 1.' }),
    durationInterval: t.expose('durationInterval', {
      type: RecurringInterval,
      nullable: true,
      description: shared.durationInterval,
    }),
    startsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: shared.startsAt,
      resolve: (phase) => instant(phase.startsAt),
    }),
    endsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: shared.endsAt,
      resolve: (phase) => instant(phase.endsAt),
    }),
  }),
});

const PercentagePhase = builder.objectRef<PhaseOf<'percentage'>>('SubscriptionPercentagePhase').implement({
  description: 'A share off the plan base.',
  fields: (t) => ({
    type: t.expose('type', { type: OfferPhaseType, description: 'Always `percentage`.' }),
    percentage: t.expose('percentage', { type: 'Int', description: 'Basis points: 5000 is half.' }),
    durationCycles: t.expose('durationCycles', {
      type: 'Int',
      nullable: true,
      description: shared.durationCycles,
    }),
    durationInterval: t.expose('durationInterval', {
      type: RecurringInterval,
      nullable: true,
      description: shared.durationInterval,
    }),
    startsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: shared.startsAt,
      resolve: (phase) => instant(phase.startsAt),
    }),
    endsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: shared.endsAt,
      resolve: (phase) => instant(phase.endsAt),
    }),
  }),
});

const AmountOffPhase = builder.objectRef<PhaseOf<'amount_off'>>('SubscriptionAmountOffPhase').implement({
  description: 'An amount off the plan base.',
  fields: (t) => ({
    type: t.expose('type', { type: OfferPhaseType, description: 'Always `amount_off`.' }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Minor units of the currency of the application.',
    }),
    durationCycles: t.expose('durationCycles', {
      type: 'Int',
      nullable: true,
      description: shared.durationCycles,
    }),
    durationInterval: t.expose('durationInterval', {
      type: RecurringInterval,
      nullable: true,
      description: shared.durationInterval,
    }),
    startsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: shared.startsAt,
      resolve: (phase) => instant(phase.startsAt),
    }),
    endsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: shared.endsAt,
      resolve: (phase) => instant(phase.endsAt),
    }),
  }),
});

const FixedPricePhase = builder.objectRef<PhaseOf<'fixed_price'>>('SubscriptionFixedPricePhase').implement({
  description: 'Another price for the plan base.',
  fields: (t) => ({
    type: t.expose('type', { type: OfferPhaseType, description: 'Always `fixed_price`.' }),
    price: t.expose('price', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Minor units of the currency of the application.',
    }),
    durationCycles: t.expose('durationCycles', {
      type: 'Int',
      nullable: true,
      description: shared.durationCycles,
    }),
    durationInterval: t.expose('durationInterval', {
      type: RecurringInterval,
      nullable: true,
      description: shared.durationInterval,
    }),
    startsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: shared.startsAt,
      resolve: (phase) => instant(phase.startsAt),
    }),
    endsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: shared.endsAt,
      resolve: (phase) => instant(phase.endsAt),
    }),
  }),
});

const typeNames = {
  free_trial: 'SubscriptionFreeTrialPhase',
  percentage: 'SubscriptionPercentagePhase',
  amount_off: 'SubscriptionAmountOffPhase',
  fixed_price: 'SubscriptionFixedPricePhase',
} as const;

export const OfferApplicationPhase = builder.unionType('SubscriptionOfferApplicationPhase', {
  description: 'One phase of an offer application, with its value and dates resolved.',
  types: [FreeTrialPhase, PercentagePhase, AmountOffPhase, FixedPricePhase],
  resolveType: (phase) => typeNames[phase.type],
});

type Target = { readonly type: string; readonly id: string };

export const OfferTarget = builder.objectRef<Target>('OfferApplicationTarget').implement({
  description: 'What an offer lowers the price of.',
  fields: (t) => ({
    type: t.exposeString('type', { description: '`plan_price`, `addon` or `credit_pack`.' }),
    targetId: t.exposeID('id', { description: 'The id of the price, add-on or pack.' }),
  }),
});

export const ProvidedOfferApplication = builder
  .objectRef<ProvidedOffer>('ProvidedOfferApplication')
  .implement({
    description: 'The terms of an offer that was named with an operation, as they were accepted.',
    fields: (t) => ({
      offerApplicationId: t.exposeID('id', { description: 'Our identifier of the application, `oap_…`.' }),
      name: t.exposeString('name', { description: 'What the terms are called.' }),
      appliesTo: t.field({
        type: OfferTarget,
        description: 'What is cheaper.',
        resolve: ({ targetType, targetId }) => ({ type: targetType, id: targetId }),
      }),
      offerId: t.exposeID('offerId', { description: 'The offer.' }),
      currency: t.expose('currency', { type: Currency, description: 'Currency of the amounts.' }),
      subtotal: t.expose('subtotalMinor', {
        type: 'SafeInt',
        amount: 'MINOR',
        description: 'List price of the first charge, minor units.',
      }),
      discountAmount: t.expose('discountMinor', {
        type: 'SafeInt',
        amount: 'MINOR',
        description: 'Taken off it, minor units.',
      }),
      total: t.expose('totalMinor', {
        type: 'SafeInt',
        amount: 'MINOR',
        description: 'The first charge before tax, minor units.',
      }),
      phases: t.field({
        type: [OfferApplicationPhase],
        description: 'In order, with their dates.',
        resolve: ({ phases }) => [...phases],
      }),
    }),
  });

export const OfferApplication = builder.prismaObject('OfferApplication', {
  ...node({ prefix: 'oap' }),
  name: 'SubscriptionOfferApplication',
  description: 'Terms quoted or accepted on a subscription; never edited after acceptance.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `oap_…`.' }),
    name: t.exposeString('name', { description: 'What the terms are called.' }),
    appliesTo: t.computed({
      type: OfferTarget,
      description: 'What is cheaper.',
      columns: ['targetType', 'targetId'],
      resolve: ({ targetType, targetId }) => ({ type: targetType, id: targetId }),
    }),
    offerId: t.exposeID('offerId', {
      nullable: true,
      description: 'Null for terms without an offer, such as a trial of its own.',
    }),
    source: t.expose('source', {
      type: OfferApplicationSource,
      description: 'The channel that brought it.',
    }),
    status: t.expose('status', { type: OfferApplicationStatus, description: 'Where it stands.' }),
    currency: t.expose('currency', {
      type: Currency,
      nullable: true,
      description: 'Currency of the amounts; null where none is settled.',
    }),
    subtotal: t.expose('subtotalMinor', {
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description: 'List price of the first charge, minor units; null for a trial alone.',
    }),
    discountAmount: t.expose('discountMinor', {
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description: 'Taken off the first charge, minor units; null for a trial alone.',
    }),
    total: t.expose('totalMinor', {
      type: 'SafeInt',
      nullable: true,
      amount: 'MINOR',
      description: 'The first charge before tax, minor units; null for a trial alone.',
    }),
    phases: t.computed({
      type: [OfferApplicationPhase],
      description: 'In order.',
      columns: ['phases'],
      resolve: ({ phases }) => phases,
    }),
    quotedAt: t.expose('quotedAt', { type: 'DateTime', description: 'When the terms were quoted.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the quote expires; null without a limit.',
    }),
    appliedAt: t.expose('appliedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the terms were accepted; null while they are quoted.',
    }),
  }),
});

export const phaseShared = 'durationInterval startsAt endsAt';

export const phasesSelection = (trialFields: string): string => `phases {
  ... on SubscriptionFreeTrialPhase { type durationDays ${trialFields} }
  ... on SubscriptionPercentagePhase { type durationCycles percentage ${phaseShared} }
  ... on SubscriptionAmountOffPhase { type durationCycles amount ${phaseShared} }
  ... on SubscriptionFixedPricePhase { type durationCycles price ${phaseShared} }
}`;

/** What REST shows of the offer an operation was given. */
export const providedOfferSelection = `offerApplication {
  id: offerApplicationId offerId name appliesTo { type id: targetId } currency subtotal discountAmount total ${phasesSelection('startsAt endsAt')}
}`;

/** What REST shows of offer applications. */
export const offerApplicationsSelection = `offerApplications {
  id name appliesTo { type id: targetId } offerId source status currency subtotal discountAmount total quotedAt expiresAt appliedAt
  ${phasesSelection(phaseShared)}
}`;

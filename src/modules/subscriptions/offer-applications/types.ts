import type { ApplicationPhase } from '../../../domain/rows/rows.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { OfferPhaseType, RecurringInterval } from '../../catalog/offers/enums.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import type { ProvidedOffer } from './store.ts';

type PhaseOf<T extends ApplicationPhase['type']> = Extract<ApplicationPhase, { type: T }>;

const noInterval = 'Always `null`. Only a fixed price can have its own billing interval.';

const shared = {
  durationInterval:
    'Billing interval of the phase. `null` if the phase uses the billing interval of the plan.',
  startsAt: "Time at which the phase starts. `null` if the offer hasn't been accepted.",
  endsAt:
    "Time at which the phase ends. `null` if the phase has no end, or if the offer hasn't been accepted.",
  durationCycles: 'Number of billing cycles. `null` if the phase has no end.',
} as const;

const instant = (text: string | null): Date | null => (text === null ? null : new Date(text));

const FreeTrialPhase = builder.objectRef<PhaseOf<'free_trial'>>('SubscriptionFreeTrialPhase').implement({
  description: 'A phase that delays the first charge.',
  fields: (t) => ({
    type: t.member('type', OfferPhaseType).describe('Always `free_trial`.'),
    durationDays: t.member('durationDays', 'Int').describe('Length of the free trial in days, 1 or more.'),
    durationInterval: t
      .maybe('durationInterval', RecurringInterval)
      .describe('Always `null`, because a free trial has no billing cycles.'),
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
  description: 'A phase that reduces the base price of the plan by a percentage.',
  fields: (t) => ({
    type: t.member('type', OfferPhaseType).describe('Always `percentage`.'),
    percentage: t.member('percentage', 'Int').describe('Discount in basis points; 10,000 = 100%.'),
    durationCycles: t.maybe('durationCycles', 'Int').describe(shared.durationCycles),
    durationInterval: t.maybe('durationInterval', RecurringInterval).describe(noInterval),
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
  description: 'A phase that reduces the base price of the plan by an amount.',
  fields: (t) => ({
    type: t.member('type', OfferPhaseType).describe('Always `amount_off`.'),
    amount: t
      .member('amount', 'MINOR')
      .describe("Discount, in minor units of the offer application's currency."),
    durationCycles: t.maybe('durationCycles', 'Int').describe(shared.durationCycles),
    durationInterval: t.maybe('durationInterval', RecurringInterval).describe(noInterval),
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
  description: 'A phase that replaces the base price of the plan with a fixed price.',
  fields: (t) => ({
    type: t.member('type', OfferPhaseType).describe('Always `fixed_price`.'),
    price: t.member('price', 'MINOR').describe("Price, in minor units of the offer application's currency."),
    durationCycles: t.maybe('durationCycles', 'Int').describe(shared.durationCycles),
    durationInterval: t.maybe('durationInterval', RecurringInterval).describe(shared.durationInterval),
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

const OfferApplicationPhase = builder.unionType('SubscriptionOfferApplicationPhase', {
  description: 'A phase of an offer application, with its resolved value and dates.',
  types: [FreeTrialPhase, PercentagePhase, AmountOffPhase, FixedPricePhase],
  resolveType: (phase) => typeNames[phase.type],
});

type Target = { readonly type: string; readonly id: string };

const OfferTarget = builder.objectRef<Target>('OfferApplicationTarget').implement({
  description: 'Object whose price an offer reduces.',
  fields: (t) => ({
    type: t.member('type', 'String').describe('Type of the object: `plan_price`, `addon`, or `credit_pack`.'),
    targetId: t.member('id', 'ID').describe('ID of the price, add-on, or credit pack.'),
  }),
});

export const ProvidedOfferApplication = builder
  .objectRef<ProvidedOffer>('ProvidedOfferApplication')
  .implement({
    description: 'Quoted or accepted terms of the offer that the request specified.',
    fields: (t) => ({
      offerApplicationId: t.member('id', 'ID').describe('ID of the offer application. Starts with `oap_`.'),
      name: t.member('name', 'String').describe('Name of the offer.'),
      appliesTo: t.field({
        type: OfferTarget,
        description: 'Object whose price the offer reduces.',
        resolve: ({ targetType, targetId }) => ({ type: targetType, id: targetId }),
      }),
      offerId: t.member('offerId', 'ID').describe('ID of the offer.'),
      currency: t
        .member('currency', Currency)
        .describe('Currency of `subtotal`, `discountAmount`, and `total`.'),
      subtotal: t
        .member('subtotalMinor', 'MINOR')
        .describe('List price of the first charge, in minor units of `currency`.'),
      discountAmount: t
        .member('discountMinor', 'MINOR')
        .describe('Discount on the first charge, in minor units of `currency`.'),
      total: t
        .member('totalMinor', 'MINOR')
        .describe('First charge before tax, in minor units of `currency`.'),
      phases: t
        .member('phases', [OfferApplicationPhase])
        .describe('Phases in the order in which they apply, with their dates.'),
    }),
  });

builder.prismaObject('OfferApplication', {
  ...node({ prefix: 'oap' }),
  name: 'SubscriptionOfferApplication',
  description:
    "Offer or trial terms that were quoted or accepted for a subscription. The terms never change after they're accepted.",
  fields: (t) => ({
    ...t.columns('id', 'name'),
    appliesTo: t.computed({
      type: OfferTarget,
      description: 'Object whose price the offer reduces.',
      columns: ['targetType', 'targetId'],
      resolve: ({ targetType, targetId }) => ({ type: targetType, id: targetId }),
    }),
    ...t.columns('offerId', 'source', 'status', 'currency'),
    subtotal: t.column('subtotalMinor'),
    discountAmount: t.column('discountMinor'),
    total: t.column('totalMinor'),
    phases: t.computed({
      type: [OfferApplicationPhase],
      description: 'Phases in the order in which they apply.',
      columns: ['phases'],
      resolve: ({ phases }) => phases,
    }),
    ...t.columns('quotedAt', 'expiresAt', 'appliedAt'),
  }),
});

const phaseShared = 'durationInterval startsAt endsAt';

const phasesSelection = (trialFields: string): string => `phases {
  ... on SubscriptionFreeTrialPhase { type durationDays ${trialFields} }
  ... on SubscriptionPercentagePhase { type durationCycles percentage ${phaseShared} }
  ... on SubscriptionAmountOffPhase { type durationCycles amount ${phaseShared} }
  ... on SubscriptionFixedPricePhase { type durationCycles price ${phaseShared} }
}`;

/** REST fields of the offer that a request has just applied. */
export const providedOfferSelection = `offerApplication {
  id: offerApplicationId offerId name appliesTo { type id: targetId } currency subtotal discountAmount total ${phasesSelection('startsAt endsAt')}
}`;

/** REST fields of offer applications. */
export const offerApplicationsSelection = `offerApplications {
  id name appliesTo { type id: targetId } offerId source status currency subtotal discountAmount total quotedAt expiresAt appliedAt
  ${phasesSelection(phaseShared)}
}`;

import type { CurrencyAmount, OfferPhase } from '../../../../domain/offers/phase.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { OfferPhaseType, RecurringInterval } from '../enums.ts';

type PhaseOf<T extends OfferPhase['type']> = Extract<OfferPhase, { type: T }>;

const durationCycles = 'Number of billing cycles. `null` if the phase has no end.';
const durationInterval =
  'Billing interval of a fixed price. `null` if the price uses the interval of the plan.';
const noInterval = 'Always `null`, because only a fixed price can have its own billing interval.';

const OfferAmount = builder.objectRef<CurrencyAmount>('OfferAmount').implement({
  description: 'An amount of an offer in one currency.',
  fields: (t) => ({
    currency: t.expose('currency', { type: Currency, description: 'Lowercase ISO 4217 code.' }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Amount in minor units of the currency.',
    }),
  }),
});

const FreeTrial = builder.objectRef<PhaseOf<'free_trial'>>('OfferFreeTrialPhase').implement({
  description: 'A phase that delays the first charge.',
  fields: (t) => ({
    type: t.expose('type', { type: OfferPhaseType, description: 'Always `free_trial`.' }),
    durationDays: t.expose('durationDays', {
      type: 'Int',
      description: 'Length of the free trial in days, from 1 to 3,650.',
    }),
  }),
});

const Percentage = builder.objectRef<PhaseOf<'percentage'>>('OfferPercentagePhase').implement({
  description: 'A phase that reduces the base price of the plan by a percentage.',
  fields: (t) => ({
    type: t.expose('type', { type: OfferPhaseType, description: 'Always `percentage`.' }),
    durationCycles: t.expose('durationCycles', {
      type: 'Int',
      nullable: true,
      description: durationCycles,
    }),
    durationInterval: t.expose('durationInterval', {
      type: RecurringInterval,
      nullable: true,
      description: noInterval,
    }),
    percentage: t.expose('percentage', {
      type: 'Int',
      description: 'Discount in basis points; 10,000 = 100%.',
    }),
  }),
});

const AmountOff = builder.objectRef<PhaseOf<'amount_off'>>('OfferAmountOffPhase').implement({
  description: 'A phase that reduces the base price of the plan by an amount, but not below 0.',
  fields: (t) => ({
    type: t.expose('type', { type: OfferPhaseType, description: 'Always `amount_off`.' }),
    durationCycles: t.expose('durationCycles', {
      type: 'Int',
      nullable: true,
      description: durationCycles,
    }),
    durationInterval: t.expose('durationInterval', {
      type: RecurringInterval,
      nullable: true,
      description: noInterval,
    }),
    amounts: t.field({
      type: [OfferAmount],
      description: 'Discount amounts, one for each currency that the phase can be used in.',
      resolve: ({ amounts }) => [...amounts],
    }),
  }),
});

const FixedPrice = builder.objectRef<PhaseOf<'fixed_price'>>('OfferFixedPricePhase').implement({
  description: 'A phase that replaces the base price of the plan.',
  fields: (t) => ({
    type: t.expose('type', { type: OfferPhaseType, description: 'Always `fixed_price`.' }),
    durationCycles: t.expose('durationCycles', {
      type: 'Int',
      nullable: true,
      description: durationCycles,
    }),
    durationInterval: t.expose('durationInterval', {
      type: RecurringInterval,
      nullable: true,
      description: durationInterval,
    }),
    prices: t.field({
      type: [OfferAmount],
      description: 'Prices, one for each currency that the phase can be used in.',
      resolve: ({ prices }) => [...prices],
    }),
  }),
});

const typeNames = {
  free_trial: 'OfferFreeTrialPhase',
  percentage: 'OfferPercentagePhase',
  amount_off: 'OfferAmountOffPhase',
  fixed_price: 'OfferFixedPricePhase',
} as const;

export const OfferPhaseObject = builder.unionType('OfferPhase', {
  description: 'A phase of an offer, which grants one benefit.',
  types: [FreeTrial, Percentage, AmountOff, FixedPrice],
  resolveType: (phase) => typeNames[phase.type],
});

export const phasesSelection = `phases {
  ... on OfferFreeTrialPhase { type durationDays }
  ... on OfferPercentagePhase { type durationCycles durationInterval percentage }
  ... on OfferAmountOffPhase { type durationCycles durationInterval amounts { currency amount } }
  ... on OfferFixedPricePhase { type durationCycles durationInterval prices { currency amount } }
}`;

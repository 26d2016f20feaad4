import type { CurrencyAmount, OfferPhase } from '../../../../domain/offers/phase.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { OfferPhaseType, RecurringInterval } from '../enums.ts';

type PhaseOf<T extends OfferPhase['type']> = Extract<OfferPhase, { type: T }>;

const durationCycles = 'Number of billing cycles. `null` if the phase has no end.';
const durationInterval =
  'Billing interval of a fixed price. `null` if the price uses the interval of the plan.';
const noInterval = 'Always `null`. Only a fixed price can have its own billing interval.';

const OfferAmount = builder.objectRef<CurrencyAmount>('OfferAmount').implement({
  description: 'Discount amount or fixed price of an offer, in one currency.',
  fields: (t) => ({
    currency: t
      .member('currency', Currency)
      .describe('Currency of the amount, as a lowercase ISO 4217 code.'),
    amount: t.member('amount', 'MINOR').describe('Amount in the smallest currency unit, such as cents.'),
  }),
});

const FreeTrial = builder.objectRef<PhaseOf<'free_trial'>>('OfferFreeTrialPhase').implement({
  description: 'A phase that delays the first charge.',
  fields: (t) => ({
    type: t.member('type', OfferPhaseType).describe('Always `free_trial`.'),
    durationDays: t
      .member('durationDays', 'Int')
      .describe('Length of the free trial in days, from 1 to 3,650.'),
  }),
});

const Percentage = builder.objectRef<PhaseOf<'percentage'>>('OfferPercentagePhase').implement({
  description: 'A phase that reduces the base price of the plan by a percentage.',
  fields: (t) => ({
    type: t.member('type', OfferPhaseType).describe('Always `percentage`.'),
    durationCycles: t.maybe('durationCycles', 'Int').describe(durationCycles),
    durationInterval: t.maybe('durationInterval', RecurringInterval).describe(noInterval),
    percentage: t.member('percentage', 'Int').describe('Discount in basis points; 10,000 = 100%.'),
  }),
});

const AmountOff = builder.objectRef<PhaseOf<'amount_off'>>('OfferAmountOffPhase').implement({
  description: 'A phase that reduces the base price of the plan by an amount, but not below 0.',
  fields: (t) => ({
    type: t.member('type', OfferPhaseType).describe('Always `amount_off`.'),
    durationCycles: t.maybe('durationCycles', 'Int').describe(durationCycles),
    durationInterval: t.maybe('durationInterval', RecurringInterval).describe(noInterval),
    amounts: t
      .member('amounts', [OfferAmount])
      .describe('Discount amounts, one per currency. The phase can be applied only in these currencies.'),
  }),
});

const FixedPrice = builder.objectRef<PhaseOf<'fixed_price'>>('OfferFixedPricePhase').implement({
  description: 'A phase that replaces the base price of the plan with a fixed price.',
  fields: (t) => ({
    type: t.member('type', OfferPhaseType).describe('Always `fixed_price`.'),
    durationCycles: t.maybe('durationCycles', 'Int').describe(durationCycles),
    durationInterval: t.maybe('durationInterval', RecurringInterval).describe(durationInterval),
    prices: t
      .member('prices', [OfferAmount])
      .describe('Fixed prices, one per currency. The phase can be applied only in these currencies.'),
  }),
});

const typeNames = {
  free_trial: 'OfferFreeTrialPhase',
  percentage: 'OfferPercentagePhase',
  amount_off: 'OfferAmountOffPhase',
  fixed_price: 'OfferFixedPricePhase',
} as const;

export const OfferPhaseObject = builder.unionType('OfferPhase', {
  description: 'Phase of an offer. Each phase grants one benefit.',
  types: [FreeTrial, Percentage, AmountOff, FixedPrice],
  resolveType: (phase) => typeNames[phase.type],
});

export const phasesSelection = `phases {
  ... on OfferFreeTrialPhase { type durationDays }
  ... on OfferPercentagePhase { type durationCycles durationInterval percentage }
  ... on OfferAmountOffPhase { type durationCycles durationInterval amounts { currency amount } }
  ... on OfferFixedPricePhase { type durationCycles durationInterval prices { currency amount } }
}`;

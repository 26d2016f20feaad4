import type { CurrencyAmount, OfferPhase } from '../../../domain/offers/phase.ts';
import { builder } from '../../../graphql/builder.ts';
import { Currency } from '../../currencies/enums.ts';
import { OfferPhaseType, RecurringInterval } from '../enums.ts';

type PhaseOf<T extends OfferPhase['type']> = Extract<OfferPhase, { type: T }>;

const durationCycles = 'Billing cycles it lasts; null for an open end.';
const durationInterval = 'The interval a fixed price is billed in; null for that of the plan.';

const OfferAmount = builder.objectRef<CurrencyAmount>('OfferAmount').implement({
  description: 'An amount of an offer in one currency.',
  fields: (t) => ({
    currency: t.expose('currency', { type: Currency, description: 'Lower-case ISO 4217.' }),
    amount: t.expose('amount', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Minor units of the currency.',
    }),
  }),
});

const FreeTrial = builder.objectRef<PhaseOf<'free_trial'>>('OfferFreeTrialPhase').implement({
  description: 'Delays the first charge.',
  fields: (t) => ({
    type: t.expose('type', { type: OfferPhaseType, description: 'Always `free_trial`.' }),
    durationDays: t.expose('durationDays', { type: 'Int', description: 'How many days, 1 to 3 650.' }),
  }),
});

const Percentage = builder.objectRef<PhaseOf<'percentage'>>('OfferPercentagePhase').implement({
  description: 'A share off the plan base.',
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
      description: durationInterval,
    }),
    percentage: t.expose('percentage', { type: 'Int', description: 'Basis points: 5000 is half.' }),
  }),
});

const AmountOff = builder.objectRef<PhaseOf<'amount_off'>>('OfferAmountOffPhase').implement({
  description: 'An amount off the plan base, at most the base itself.',
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
      description: durationInterval,
    }),
    amounts: t.field({
      type: [OfferAmount],
      description: 'One per currency it can be used in.',
      resolve: ({ amounts }) => [...amounts],
    }),
  }),
});

const FixedPrice = builder.objectRef<PhaseOf<'fixed_price'>>('OfferFixedPricePhase').implement({
  description: 'Another price for the plan base.',
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
      description: 'One per currency it can be used in.',
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
  description: 'One benefit of an offer.',
  types: [FreeTrial, Percentage, AmountOff, FixedPrice],
  resolveType: (phase) => typeNames[phase.type],
});

/** What REST shows of phases. */
export const phasesSelection = `phases {
  ... on OfferFreeTrialPhase { type durationDays }
  ... on OfferPercentagePhase { type durationCycles durationInterval percentage }
  ... on OfferAmountOffPhase { type durationCycles durationInterval amounts { currency amount } }
  ... on OfferFixedPricePhase { type durationCycles durationInterval prices { currency amount } }
}`;

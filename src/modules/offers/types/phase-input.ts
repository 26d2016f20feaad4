import type { RecurringInterval } from '../../../domain/enums.ts';
import type { OfferPhase } from '../../../domain/offers/phase.ts';
import { builder } from '../../../graphql/builder.ts';
import { OfferPhaseType, RecurringInterval as RecurringIntervalEnum } from '../enums.ts';

const perCurrency = { minItems: 1, maxItems: 20 } as const;
const currency = {
  required: true,
  rule: { pattern: /^[a-z]{3}$/ },
  description: 'Lower-case ISO 4217, once in the list.',
} as const;

const OfferAmountInput = builder.inputType('OfferAmountInput', {
  description: 'An amount off in one currency.',
  fields: (t) => ({
    currency: t.string(currency),
    amount: t.field({
      type: 'SafeInt',
      required: true,
      rule: { minimum: 1 },
      amount: 'MINOR',
      description: 'Minor units, above 0.',
    }),
  }),
});

const OfferPriceInput = builder.inputType('OfferPriceInput', {
  description: 'A fixed price in one currency.',
  fields: (t) => ({
    currency: t.string(currency),
    amount: t.field({
      type: 'SafeInt',
      required: true,
      rule: { minimum: 0 },
      amount: 'MINOR',
      description: 'Minor units, from 0 on.',
    }),
  }),
});

export const OfferPhaseInput = builder.inputType('OfferPhaseInput', {
  description: 'One benefit: `type` settles which of the other members belong to it.',
  forms: {
    by: 'type',
    members: {
      free_trial: { required: ['durationDays'] },
      percentage: { required: ['durationCycles', 'percentage'], optional: ['durationInterval'] },
      amount_off: { required: ['durationCycles', 'amounts'], optional: ['durationInterval'] },
      fixed_price: { required: ['durationCycles', 'prices'], optional: ['durationInterval'] },
    },
  },
  fields: (t) => ({
    type: t.field({
      type: OfferPhaseType,
      required: true,
      description: 'The benefit; a free trial only as the first phase.',
    }),
    durationDays: t.field({
      type: 'Int',
      rule: { minimum: 1, maximum: 3_650 },
      description: 'Days of the free trial, 1 to 3 650.',
    }),
    durationCycles: t.field({
      type: 'Int',
      rule: { minimum: 1, maximum: 1_200, nullable: true },
      description: 'Billing cycles, 1 to 1 200; null for an open end, which only the last phase can have.',
    }),
    durationInterval: t.field({
      type: RecurringIntervalEnum,
      rule: { nullable: true },
      description:
        'The interval a fixed price is billed in; null for that of the plan, and for the other benefits.',
    }),
    percentage: t.field({
      type: 'Int',
      rule: { minimum: 1, maximum: 10_000 },
      description: 'Basis points off the plan base, 1 to 10 000.',
    }),
    amounts: t.field({
      type: [OfferAmountInput],
      rule: perCurrency,
      description: 'Amounts off the plan base, one per currency.',
    }),
    prices: t.field({
      type: [OfferPriceInput],
      rule: perCurrency,
      description: 'Prices instead of the plan base, one per currency.',
    }),
  }),
});

type Amounts = readonly { readonly currency: string; readonly amount: number }[];

/** A phase as the input type lets it through: the members of its form are there. */
export type PhaseInput = {
  readonly type: OfferPhase['type'];
  readonly durationDays?: number | null | undefined;
  readonly durationCycles?: number | null | undefined;
  readonly durationInterval?: RecurringInterval | null | undefined;
  readonly percentage?: number | null | undefined;
  readonly amounts?: Amounts | null | undefined;
  readonly prices?: Amounts | null | undefined;
};

/** A member that the forms of the input type promise. */
function promised<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('A phase lacks a member of its form.');
  return value;
}

const plain = (amounts: Amounts | null | undefined) =>
  promised(amounts).map(({ currency, amount }) => ({ currency, amount }));

/** The phase an input means. Throws for one that lacks a member of its form, which the input type rules out. */
export function phaseOf(input: PhaseInput): OfferPhase {
  const discount = {
    durationCycles: input.durationCycles ?? null,
    durationInterval: input.durationInterval ?? null,
  };
  switch (input.type) {
    case 'free_trial':
      return { type: 'free_trial', durationDays: promised(input.durationDays) };
    case 'percentage':
      return { type: 'percentage', percentage: promised(input.percentage), ...discount };
    case 'amount_off':
      return { type: 'amount_off', amounts: plain(input.amounts), ...discount };
    case 'fixed_price':
      return { type: 'fixed_price', prices: plain(input.prices), ...discount };
  }
}

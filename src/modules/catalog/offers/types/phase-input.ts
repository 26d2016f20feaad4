import type { OfferPhase } from '../../../../domain/offers/phase.ts';
import type { RecurringInterval } from '../../../../domain/rows/enums.ts';
import { amountAboveZero, amountFromZero } from '../../../../graphql/declare/shapes.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { OfferPhaseType, RecurringInterval as RecurringIntervalEnum } from '../enums.ts';

const perCurrency = { minItems: 1, maxItems: 20 } as const;
const currency = {
  required: true,
  rule: { pattern: /^[a-z]{3}$/ },
  description: 'Currency of the amount, as a lowercase ISO 4217 code. Each currency can appear only once.',
} as const;

const OfferAmountInput = builder.inputType('OfferAmountInput', {
  description: 'A discount amount in one currency.',
  fields: (t) => ({
    currency: t.string(currency),
    amount: t.field({
      type: 'SafeInt',
      required: true,
      rule: amountAboveZero,
      amount: 'MINOR',
      description: 'Amount in the smallest currency unit, such as cents. Greater than 0.',
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
      rule: amountFromZero,
      amount: 'MINOR',
      description: 'Price in the smallest currency unit, such as cents. 0 or more.',
    }),
  }),
});

export const OfferPhaseInput = builder.inputType('OfferPhaseInput', {
  description:
    'Parameters for a phase of an offer. The `type` determines which other fields are required or allowed.',
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
      description: 'Benefit of the phase. `free_trial` is allowed only for the first phase.',
    }),
    durationDays: t.field({
      type: 'Int',
      rule: { minimum: 1, maximum: 3_650 },
      description: 'Length of the free trial in days, from 1 to 3,650.',
    }),
    durationCycles: t.field({
      type: 'Int',
      rule: { minimum: 1, maximum: 1_200, nullable: true },
      description:
        'Number of billing cycles, from 1 to 1,200. `null` means no end, which is allowed only for the last phase.',
    }),
    durationInterval: t.field({
      type: RecurringIntervalEnum,
      rule: { nullable: true },
      description:
        'Billing interval of a fixed price. `null` means the interval of the plan. Must be `null` or omitted for other types of phases.',
    }),
    percentage: t.field({
      type: 'Int',
      rule: { minimum: 1, maximum: 10_000 },
      description:
        'Discount on the base price of the plan, in basis points; 10,000 = 100%. From 1 to 10,000.',
    }),
    amounts: t.field({
      type: [OfferAmountInput],
      rule: perCurrency,
      description: 'Discount on the base price of the plan, one amount per currency.',
    }),
    prices: t.field({
      type: [OfferPriceInput],
      rule: perCurrency,
      description: 'Prices that replace the base price of the plan, one per currency.',
    }),
  }),
});

type Amounts = readonly { readonly currency: string; readonly amount: number }[];

/** Validated phase that contains all fields required by its type. */
export type PhaseInput = {
  readonly type: OfferPhase['type'];
  readonly durationDays?: number | null | undefined;
  readonly durationCycles?: number | null | undefined;
  readonly durationInterval?: RecurringInterval | null | undefined;
  readonly percentage?: number | null | undefined;
  readonly amounts?: Amounts | null | undefined;
  readonly prices?: Amounts | null | undefined;
};

/** Returns the value of a field that the validation guarantees to be set. */
function requiredMember<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('The offer phase is missing a required member.');
  return value;
}

const plain = (amounts: Amounts | null | undefined) =>
  requiredMember(amounts).map(({ currency, amount }) => ({ currency, amount }));

/** Converts a validated input to a phase. */
export function phaseOf(input: PhaseInput): OfferPhase {
  const discount = {
    durationCycles: input.durationCycles ?? null,
    durationInterval: input.durationInterval ?? null,
  };
  switch (input.type) {
    case 'free_trial':
      return { type: 'free_trial', durationDays: requiredMember(input.durationDays) };
    case 'percentage':
      return { type: 'percentage', percentage: requiredMember(input.percentage), ...discount };
    case 'amount_off':
      return { type: 'amount_off', amounts: plain(input.amounts), ...discount };
    case 'fixed_price':
      return { type: 'fixed_price', prices: plain(input.prices), ...discount };
  }
}

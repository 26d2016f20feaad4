import { firstUnitPrice } from '../../../../domain/rates/held.ts';
import type {
  IntervalChoice,
  SeatChoice,
} from '../../../../domain/subscription/payments/checkout-choices.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { BillingInterval } from '../../../catalog/plans/enums.ts';
import { appliedRate, Rate, unlessPlainText } from '../../../catalog/rates/types.ts';

export const CheckoutInterval = builder.objectRef<IntervalChoice>('CheckoutInterval').implement({
  description: 'Billing interval that the payer can choose.',
  fields: (t) => ({
    billingInterval: t
      .member('billingInterval', BillingInterval)
      .describe('Billing interval, as sent to `checkoutUpdate`.'),
    price: t
      .member('priceMinor', 'MINOR')
      .describe("List price per interval, in the smallest unit of the checkout's currency."),
    saving: t
      .member('savingMinor', 'MINOR')
      .describe(
        'Savings compared with the shortest interval over the same period of time, in the smallest currency unit. Calculated with 52 weeks per year. 0 if there are no savings.',
      ),
  }),
});

export const CheckoutSeats = builder.objectRef<SeatChoice>('CheckoutSeats').implement({
  description: 'Feature of the plan that is sold per seat.',
  fields: (t) => ({
    featureCode: t
      .member('featureCode', 'String')
      .describe('Code of the feature, as sent to `checkoutUpdate`.'),
    name: t.member('featureName', 'String').describe('Name of the feature.'),
    count: t.member('count', 'SafeInt').describe('Number of seats that the subscription starts with.'),
    included: t.member('included', 'SafeInt').describe('Number of seats included in the price.'),
    maximum: t
      .maybe('maximum', 'SafeInt')
      .describe('Maximum number of seats that the payer can choose. Never `null`.'),
    unitPrice: t.field({
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description:
        "Price of the first additional seat per interval, in ten-thousandths of the checkout's currency unit (10,000 = 1.00). `null` if no additional seats are available.",
      resolve: ({ rates }) => (rates === null ? null : firstUnitPrice(rates)),
    }),
    rate: t.field({
      type: Rate,
      nullable: true,
      description:
        "Price of additional seats per interval, in the checkout's currency. `null` if no additional seats are available.",
      args: {
        unlessPlain: t.arg.boolean({ description: unlessPlainText('unitPrice', 'seat') }),
      },
      resolve: ({ rates, count, included }, { unlessPlain }) =>
        appliedRate(rates, count - included, unlessPlain),
    }),
  }),
});

import type { IntervalChoice, SeatChoice } from '../../../domain/subscription/payments/checkout-choices.ts';
import { builder } from '../../../graphql/builder.ts';
import { BillingInterval } from '../../plans/enums.ts';

export const CheckoutInterval = builder.objectRef<IntervalChoice>('CheckoutInterval').implement({
  description: 'An interval a checkout can be for.',
  fields: (t) => ({
    billingInterval: t.expose('billingInterval', {
      type: BillingInterval,
      description: 'Names it in `checkoutUpdate`.',
    }),
    price: t.expose('priceMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'List price of an interval, minor units of the currency of the checkout.',
    }),
    saving: t.expose('savingMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'What it saves against the shortest interval over the same time, minor units; a year has 52 weeks. 0 where it saves nothing.',
    }),
  }),
});

export const CheckoutSeats = builder.objectRef<SeatChoice>('CheckoutSeats').implement({
  description: 'A feature of the plan that is sold by the seat.',
  fields: (t) => ({
    featureCode: t.exposeString('featureCode', { description: 'Names it in `checkoutUpdate`.' }),
    name: t.exposeString('featureName', { description: 'What the feature is called.' }),
    count: t.expose('count', { type: 'SafeInt', description: 'Seats from the beginning.' }),
    included: t.expose('included', { type: 'SafeInt', description: 'Seats without extra charge.' }),
    maximum: t.expose('maximum', {
      type: 'SafeInt',
      nullable: true,
      description: 'The most seats there can be; null for any number.',
    }),
    unitPrice: t.expose('unitPriceRate', {
      type: 'SafeInt',
      nullable: true,
      amount: 'RATE',
      description:
        'A seat beyond the included ones per interval, in the currency of the checkout; 10 000 is 1.00. Null where none can be bought.',
    }),
  }),
});

import type { paymentRisks } from '../../../../domain/subscription/payments/payment-risk.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import type { PaymentDay, RiskyPayment, UpcomingPayments } from '../compute-upcoming-payments.ts';

const UpcomingPaymentRisk = builder.enumType('UpcomingPaymentRisk', {
  description: 'Reason why an upcoming payment may fail.',
  values: {
    no_method: { description: 'The customer has no stored payment method.' },
    declined_last_time: { description: 'The last attempt to pay the invoice was declined.' },
    card_expired: { description: 'The card has expired.' },
    card_expires_before: { description: 'The card expires before the payment.' },
  } satisfies Record<(typeof paymentRisks)[number], { description: string }>,
});

const UpcomingPaymentDay = builder.objectRef<PaymentDay>('UpcomingPaymentDay').implement({
  description: 'Payments of one day. Amounts are in the smallest currency unit.',
  fields: (t) => ({
    day: t.member('day', 'DateTime').describe('Start of the day, at midnight UTC.'),
    collected: t.member('collectedMinor', 'MINOR').describe('Amount that was already collected today.'),
    expected: t.member('expectedMinor', 'MINOR').describe('Amount of the payments without a known risk.'),
    atRisk: t.member('atRiskMinor', 'MINOR').describe('Amount of the payments that may fail.'),
    count: t.member('count', 'Int').describe('Number of payments.'),
  }),
});

const UpcomingPayment = builder.objectRef<RiskyPayment>('UpcomingPayment').implement({
  description: 'A payment that is expected in the next days and may fail.',
  fields: (t) => ({
    dueAt: t
      .member('dueAt', 'DateTime')
      .describe("Time of the payment. In a sandbox, the test clock's time."),
    customer: t.rowById('Customer', { id: 'customerId', description: 'Customer who pays.' }),
    subscription: t.rowById('Subscription', {
      id: 'subscriptionId',
      description: 'Subscription that is paid.',
    }),
    amount: t.member('amountMinor', 'MINOR').describe('Amount in the smallest currency unit, such as cents.'),
    reason: t.member('risk', UpcomingPaymentRisk).describe('Reason why the payment may fail.'),
    paymentMethod: t.rowById('PaymentMethod', {
      nullable: true,
      id: ({ method }) => method?.id ?? null,
      description: 'Payment method that is charged. `null` if the customer has no stored payment method.',
    }),
  }),
});

export const UpcomingPaymentsType = builder.objectRef<UpcomingPayments>('UpcomingPayments').implement({
  description:
    'Payments from today until a later day, in one currency. Amounts are in the smallest currency unit.',
  fields: (t) => ({
    currency: t.member('currency', Currency).describe('Currency of the payments.'),
    total: t.member('totalMinor', 'MINOR').describe('Sum of `collected`, `expected`, and `atRisk`.'),
    collected: t.member('collectedMinor', 'MINOR').describe('Amount that was already collected today.'),
    expected: t.member('expectedMinor', 'MINOR').describe('Amount of the payments without a known risk.'),
    atRisk: t.member('atRiskMinor', 'MINOR').describe('Amount of the payments that may fail.'),
    count: t.member('count', 'Int').describe('Number of payments.'),
    days: t.member('days', [UpcomingPaymentDay]).describe('Days in the range, earliest first.'),
    paymentsAtRisk: t.field({
      type: [UpcomingPayment],
      description: 'Payments that may fail, earliest first.',
      args: {
        first: t.arg({
          type: 'Int',
          rule: { minimum: 1, maximum: 100 },
          description: 'Number of payments to return, from 1 to 100. Defaults to 25.',
        }),
      },
      complexity: ({ first }) => ({ multiplier: first ?? 25 }),
      resolve: ({ risky }, { first }) => risky.slice(0, first ?? 25),
    }),
    countAtRisk: t.int({
      description: 'Number of payments that may fail.',
      resolve: ({ risky }) => risky.length,
    }),
    isComplete: t
      .member('isComplete', 'Boolean')
      .describe(
        '`false` if more than 1,000 subscriptions are charged. Only the earliest payments are then included.',
      ),
  }),
});

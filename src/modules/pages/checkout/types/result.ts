import { currentPeriod, nextBillingDate } from '../../../../domain/subscription/state/view.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { BillingInterval } from '../../../catalog/plans/enums.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { SubscriptionStatus } from '../../../subscriptions/subscriptions/enums.ts';
import { planOf } from '../../../subscriptions/subscriptions/load-parts.ts';
import type { SubscriptionRow } from '../../../subscriptions/subscriptions/store.ts';
import { SubscriptionPeriod, SubscriptionPlan } from '../../../subscriptions/subscriptions/types/parts.ts';
import type { CheckoutResult as Result } from '../pay.ts';

const CheckoutOutcome = builder.enumType('CheckoutOutcome', {
  description: 'Result of a payment at checkout.',
  values: {
    paid: { description: 'The checkout is completed.' },
    processing: {
      description: 'The bank debit was accepted. The checkout is completed when the debit settles.',
    },
    requires_action: {
      description: 'The card issuer requires authentication. Continue with `checkoutAuthenticate`.',
    },
  } as const,
});

const CheckoutSubscription = builder.objectRef<SubscriptionRow>('CheckoutSubscription').implement({
  description: 'Subscription as shown to a payer at checkout.',
  fields: (t) => ({
    subscriptionId: t.member('id', 'ID').describe('ID of the subscription, with the prefix `sub_`.'),
    status: t.member('status', SubscriptionStatus).describe('Status of the subscription.'),
    plan: t.field({
      type: SubscriptionPlan,
      description: 'Plan of the subscription, with its current price.',
      resolve: (subscription, _args, ctx) => planOf(ctx, subscription),
    }),
    priceId: t.maybe('priceId', 'ID').describe("ID of the subscription's price. `null` if the plan is free."),
    billingInterval: t
      .maybe('billingInterval', BillingInterval)
      .describe('Billing interval of the subscription. `null` if the plan is free.'),
    currency: t
      .member('currency', Currency)
      .describe('Currency of the subscription, as a lowercase ISO 4217 code.'),
    trialEndsAt: t
      .maybe('trialEndsAt', 'DateTime')
      .describe('Time at which the trial ends. `null` if the subscription has no trial.'),
    currentPeriod: t.field({
      type: SubscriptionPeriod,
      nullable: true,
      description:
        'Current billing period, or the trial period during a trial. `null` if no period has started.',
      resolve: (subscription, _args, ctx) => currentPeriod(subscription, ctx.clock.now()),
    }),
    nextBillingDate: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Date of the next charge. `null` if no charge is scheduled.',
      resolve: nextBillingDate,
    }),
    cancelAtPeriodEnd: t
      .member('cancelAtPeriodEnd', 'Boolean')
      .describe('Whether the subscription will be canceled at the end of the current period.'),
    startDate: t.member('startDate', 'DateTime').describe('Start date of the subscription.'),
    endDate: t
      .maybe('endDate', 'DateTime')
      .describe('Time at which access ends or ended. `null` if the subscription has no end date.'),
    ...t.resource('subscription'),
  }),
});

export const CheckoutResult = builder.objectRef<Result>('CheckoutResult').implement({
  description: 'Result of a payment at checkout.',
  fields: (t) => ({
    status: t.member('status', CheckoutOutcome).describe('Result of the payment at checkout.'),
    subscription: t
      .member('subscription', CheckoutSubscription)
      .describe('Subscription in its current state.'),
  }),
});

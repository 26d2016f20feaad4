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
    requires_action: {
      description: 'The card issuer requires authentication. Continue with `checkoutAuthenticate`.',
    },
  } as const,
});

const CheckoutSubscription = builder.objectRef<SubscriptionRow>('CheckoutSubscription').implement({
  description: 'Subscription as shown to a payer at checkout.',
  fields: (t) => ({
    subscriptionId: t.exposeID('id', { description: 'ID of the subscription, with the prefix `sub_`.' }),
    status: t.expose('status', { type: SubscriptionStatus, description: 'Status of the subscription.' }),
    plan: t.field({
      type: SubscriptionPlan,
      description: 'Plan of the subscription, with its current price.',
      resolve: (subscription, _args, ctx) => planOf(ctx, subscription),
    }),
    priceId: t.exposeID('priceId', {
      nullable: true,
      description: 'ID of the price. `null` if the plan is free.',
    }),
    billingInterval: t.expose('billingInterval', {
      type: BillingInterval,
      nullable: true,
      description: 'Billing interval. `null` if the plan is free.',
    }),
    currency: t.expose('currency', {
      type: Currency,
      description: 'Currency of the subscription, as a lowercase ISO 4217 code.',
    }),
    trialEndsAt: t.expose('trialEndsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'End of the trial. `null` if the subscription has no trial.',
    }),
    currentPeriod: t.field({
      type: SubscriptionPeriod,
      nullable: true,
      description: 'Current billing period, or the trial. `null` if no period has started.',
      resolve: (subscription, _args, ctx) => currentPeriod(subscription, ctx.clock.now()),
    }),
    nextBillingDate: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Next charge date. `null` if no charge is scheduled.',
      resolve: nextBillingDate,
    }),
    cancelAtPeriodEnd: t.exposeBoolean('cancelAtPeriodEnd', {
      description: 'Whether the subscription will be canceled at the end of the current period.',
    }),
    startDate: t.expose('startDate', { type: 'DateTime', description: 'Start date of the subscription.' }),
    endDate: t.expose('endDate', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which access ends or ended. `null` if the subscription has no end date.',
    }),
    object: t.string({ description: 'Always `subscription`.', resolve: () => 'subscription' }),
    livemode: t.livemode(),
  }),
});

export const CheckoutResult = builder.objectRef<Result>('CheckoutResult').implement({
  description: 'Result of a payment at checkout.',
  fields: (t) => ({
    status: t.expose('status', { type: CheckoutOutcome, description: 'Result of the payment.' }),
    subscription: t.field({
      type: CheckoutSubscription,
      description: 'Subscription in its current state.',
      resolve: ({ subscription }) => subscription,
    }),
  }),
});

import { currentPeriod, nextBillingDate } from '../../../domain/subscription/state/view.ts';
import { builder } from '../../../graphql/builder.ts';
import { Currency } from '../../currencies/enums.ts';
import { BillingInterval } from '../../plans/enums.ts';
import { SubscriptionStatus } from '../../subscriptions/enums.ts';
import { planOf } from '../../subscriptions/load-parts.ts';
import type { SubscriptionRow } from '../../subscriptions/store.ts';
import { SubscriptionPeriod, SubscriptionPlan } from '../../subscriptions/types/parts.ts';
import type { CheckoutResult as Result } from '../pay.ts';

const CheckoutOutcome = builder.enumType('CheckoutOutcome', {
  description: 'The result of a payment at the checkout.',
  values: {
    paid: { description: 'The checkout is completed.' },
    requires_action: { description: 'The issuer wants the payer to authenticate: `checkoutAuthenticate`.' },
  } as const,
});

const CheckoutSubscription = builder.objectRef<SubscriptionRow>('CheckoutSubscription').implement({
  description: 'What a subscription shows to anyone who pays for it at the checkout.',
  fields: (t) => ({
    subscriptionId: t.exposeID('id', { description: 'Our identifier of the subscription, `sub_…`.' }),
    status: t.expose('status', { type: SubscriptionStatus, description: 'Where it stands.' }),
    plan: t.field({
      type: SubscriptionPlan,
      description: 'The plan with what its bound price costs now.',
      resolve: (subscription, _args, ctx) => planOf(ctx, subscription),
    }),
    priceId: t.exposeID('priceId', { nullable: true, description: 'The bound price; null on free plans.' }),
    billingInterval: t.expose('billingInterval', {
      type: BillingInterval,
      nullable: true,
      description: 'Null on free plans.',
    }),
    currency: t.expose('currency', {
      type: Currency,
      description: 'Lower-case ISO 4217 code it is charged in.',
    }),
    trialEndsAt: t.expose('trialEndsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'End of its trial; null when it has none.',
    }),
    currentPeriod: t.field({
      type: SubscriptionPeriod,
      nullable: true,
      description: 'The billing period in force, a trial span included; null before the first.',
      resolve: (subscription, _args, ctx) => currentPeriod(subscription, ctx.clock.now()),
    }),
    nextBillingDate: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When a charge is due next; null when none is.',
      resolve: nextBillingDate,
    }),
    cancelAtPeriodEnd: t.exposeBoolean('cancelAtPeriodEnd', {
      description: 'True while a cancellation is scheduled.',
    }),
    startDate: t.expose('startDate', { type: 'DateTime', description: 'When the contract begins.' }),
    endDate: t.expose('endDate', {
      type: 'DateTime',
      nullable: true,
      description: 'When access ends or ended; null while open-ended.',
    }),
    object: t.string({ description: 'Always `subscription`.', resolve: () => 'subscription' }),
    livemode: t.livemode(),
  }),
});

export const CheckoutResult = builder.objectRef<Result>('CheckoutResult').implement({
  description: 'The result of a payment at the checkout.',
  fields: (t) => ({
    status: t.expose('status', { type: CheckoutOutcome, description: 'Whether it is completed.' }),
    subscription: t.field({
      type: CheckoutSubscription,
      description: 'The subscription as it is now.',
      resolve: ({ subscription }) => subscription,
    }),
  }),
});

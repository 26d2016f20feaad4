import { expect, test } from 'vitest';
import type { BillingInterval, SubscriptionStatus } from '../../../src/domain/rows/enums.ts';
import { subscriptionTransitions } from '../../../src/domain/subscription/state/transitions.ts';
import { catalog, simplePlan } from './catalog.ts';
import { at, card, cardThat, World } from './world.ts';

// Transitions of the subscription state machine (SUB-1): start, trigger, target, and exact events.
// test/modules/subscriptions/subscriptions/statuses.test.ts covers the errors for operations in other statuses.

const selling = (interval: BillingInterval, { amount = 3_400n, trialDays = 0 } = {}): World =>
  new World('2027-01-31', simplePlan(interval, amount, { trialDays }));

function opened(world: World, selection: object = {}): World {
  world.create(null, { planId: 'cove', ...selection });
  return world;
}

function paid(world: World, method = card): World {
  opened(world).pay(null, method);
  return world;
}

/** Two plans in a group, for 34.00 and 118.00 a month, in ascending rank. */
const ladder = catalog(
  { id: 'cove', prices: [{ id: 'cove_m', interval: 'monthly', amount: 3_400n }] },
  { id: 'ridge', prices: [{ id: 'ridge_m', interval: 'monthly', amount: 11_800n, trialDays: 10 }] },
);
const toPlan = (world: World, newPlanId: string, now: string | null = null) =>
  world.do(now, {
    kind: 'subscription.change_plan',
    subscriptionId: world.subscription.id,
    request: { newPlanId, newBillingInterval: null, offerId: null, isPortal: false },
    successUrl: null,
  });

/** Creates a subscription to the higher plan with a scheduled change to the lower plan. */
function descending(method = card): World {
  const world = new World('2027-01-31', ladder);
  world.create(null, { planId: 'ridge', skipTrial: true });
  world.pay(null, method);
  toPlan(world, 'cove', '2027-02-10');
  return world;
}

const half = {
  id: 'half',
  seq: 1n,
  name: 'half',
  phases: [{ type: 'percentage', percentage: 10_000, durationCycles: 1, durationInterval: null }],
  startsAt: null,
  endsAt: null,
  active: true,
  deletedAt: null,
} as const;

const provided = {
  nothing: () => selling('monthly'),
  'a free plan': () => new World('2027-01-31', catalog({ id: 'cove', isFree: true })),
  'an active free plan': () => opened(new World('2027-01-31', catalog({ id: 'cove', isFree: true }))),
  'a draft': () => opened(selling('monthly'), { startDate: at('2027-03-01') }),
  'a draft of a free plan': () =>
    opened(new World('2027-01-31', catalog({ id: 'cove', isFree: true })), { startDate: at('2027-03-01') }),
  'an open checkout': () => opened(selling('monthly')),
  'an open checkout over 0': () =>
    opened(new World('2027-01-31', simplePlan('monthly', 3_400n), { offers: [half] }), { offerId: 'half' }),
  'an open trial checkout': () => opened(selling('monthly', { trialDays: 10 })),
  'an active one-time purchase': () => paid(selling('one_time')),
  'a trial with a valid card': () => paid(selling('monthly', { trialDays: 10 })),
  'a trial with a declined card': () =>
    paid(selling('monthly', { trialDays: 10 }), cardThat('pays', 'declines')),
  'a trial with a card that requires authentication': () =>
    paid(selling('monthly', { trialDays: 10 }), cardThat('pays', 'asks')),
  'a trial of a plan at 0': () => paid(selling('monthly', { trialDays: 10, amount: 0n })),
  'a trial without a method': () => {
    const world = paid(selling('monthly', { trialDays: 10 }));
    world.aggregate = { ...world.aggregate, paymentMethods: [] };
    return world;
  },
  'a trial to be canceled': () => {
    const world = paid(selling('monthly', { trialDays: 10 }));
    world.cancel('2027-02-01');
    return world;
  },
  'a subscription': () => paid(selling('monthly')),
  'a subscription with a declined card': () => paid(selling('monthly'), cardThat('pays', 'declines')),
  'a subscription with a card that requires authentication': () =>
    paid(selling('monthly'), cardThat('pays', 'asks')),
  'a subscription without a method': () => {
    const world = paid(selling('monthly'));
    world.aggregate = { ...world.aggregate, paymentMethods: [] };
    return world;
  },
  'a subscription to be canceled': () => {
    const world = paid(selling('monthly'));
    world.cancel('2027-02-10');
    return world;
  },
  'a subscription in dunning': () => {
    const world = paid(selling('monthly'), cardThat('pays', 'declines'));
    world.advance('2027-02-28');
    return world;
  },
  'a subscription before its last retry': () => {
    const world = paid(selling('monthly'), cardThat('pays', 'declines'));
    world.advance('2027-03-06');
    return world;
  },
  'a canceled subscription': () => {
    const world = paid(selling('monthly'));
    world.cancel('2027-02-10', true);
    return world;
  },
  'a canceled subscription with a declined card': () => {
    const world = paid(selling('monthly'), cardThat('pays', 'declines'));
    world.cancel('2027-02-10', true);
    return world;
  },
  'a trial of the lower plan': () => {
    const world = new World('2027-01-31', ladder);
    world.create(null, { planId: 'cove', customTrialDays: 10 });
    world.pay(null);
    return world;
  },
  'a subscription to be downgraded': () => descending(),
  'a subscription to be downgraded with a declined card': () => descending(cardThat('pays', 'declines')),
} as const satisfies Record<string, () => World>;

const subscriptionId = (world: World): string => world.subscription.id;
const settledOf = (world: World): string => {
  const row = world.aggregate.transactions.findLast(({ status }) => status === 'succeeded');
  if (row === undefined) throw new Error('nothing was paid');
  return row.id;
};

const when = {
  'is created': (world: World) => world.create(null, { planId: 'cove' }),
  'is created for a later date': (world: World) =>
    world.create(null, { planId: 'cove', startDate: at('2027-03-01') }),
  'start date reached': (world: World) => world.advance('2027-03-01'),
  cancel: (world: World) => world.cancel('2027-03-01T08:00:00Z'),
  'cancel now': (world: World) => world.cancel('2027-02-01T08:00:00Z', true),
  'cancel at the period end': (world: World) => world.cancel('2027-02-01T08:00:00Z'),
  'checkout paid': (world: World) => world.pay(null),
  'checkout declined': (world: World) => world.pay(null, cardThat('declines')),
  'incompatible create': (world: World) => world.create(null, { planId: 'cove', customTrialDays: 3 }),
  'trial end': (world: World) => world.advance('2027-02-10'),
  'change to the upper plan': (world: World) => toPlan(world, 'ridge', '2027-02-03'),
  'renewal date': (world: World) => world.advance('2027-02-28'),
  'retry settles': (world: World) => {
    world.mood = 'pays';
    world.advance('2027-03-01');
  },
  'retry declined': (world: World) => world.advance('2027-03-01'),
  'last retry declined': (world: World) => world.advance('2027-03-07'),
  'reactivated manually': (world: World) => {
    world.mood = 'pays';
    world.do('2027-03-01', {
      kind: 'subscription.reactivate',
      subscriptionId: subscriptionId(world),
      offerId: null,
    });
  },
  'reactivated manually, declined': (world: World) =>
    world.do('2027-02-28T12:00:00Z', {
      kind: 'subscription.reactivate',
      subscriptionId: subscriptionId(world),
      offerId: null,
    }),
  'recovery page paid': (world: World) =>
    world.do('2027-03-01', {
      kind: 'recovery.pay',
      subscriptionId: subscriptionId(world),
      invoiceId: world.invoice.id,
      method: card,
      abandoned: null,
    }),
  'invoice marked paid': (world: World) =>
    world.do('2027-03-01', { kind: 'invoice.mark', invoiceId: world.invoice.id, status: 'paid' }),
  'invoice marked void': (world: World) =>
    world.do('2027-03-01', { kind: 'invoice.mark', invoiceId: world.invoice.id, status: 'void' }),
  'full refund': (world: World) => {
    world.mood = 'pays';
    world.do(null, {
      kind: 'transaction.refund',
      transactionId: settledOf(world),
      refundId: 'ref_1',
      amountMinor: null,
      reason: null,
    });
  },
} as const satisfies Record<string, (world: World) => unknown>;

type Cell = readonly [
  provided: keyof typeof provided,
  from: SubscriptionStatus | null,
  trigger: keyof typeof when,
  to: SubscriptionStatus,
  events: readonly string[],
];

const notices = ['trial.will_end'];
const createdFree = [
  'subscription.created',
  'subscription.activated',
  'state subscription_created',
  'state subscription_activated',
];
const createdPaid = [
  'subscription.created',
  'invoice.created',
  'checkout.ready',
  'state subscription_created',
];
const canceled = ['subscription.canceled', 'state subscription_canceled'];
const recovered = ['payment.received', 'payment.recovered', 'state subscription_activated'];
const failedRenewal = [
  'invoice.upcoming',
  'invoice.created',
  'payment.failed',
  'subscription.past_due',
  'state past_due',
];
const scheduled = [
  'subscription.cancellation_scheduled',
  'subscription.updated',
  'state cancellation_scheduled',
];

const cells: readonly Cell[] = [
  ['nothing', null, 'is created', 'pending_payment', createdPaid],
  ['nothing', null, 'is created for a later date', 'draft', []],
  ['a free plan', null, 'is created', 'active', createdFree],
  ['a draft', 'draft', 'start date reached', 'pending_payment', createdPaid],
  ['a draft of a free plan', 'draft', 'start date reached', 'active', createdFree],
  ['a draft', 'draft', 'cancel', 'canceled', []],
  [
    'an open checkout',
    'pending_payment',
    'checkout paid',
    'active',
    ['payment_method.attached', 'payment.received', 'subscription.activated', 'state subscription_activated'],
  ],
  [
    'an open checkout over 0',
    'pending_payment',
    'checkout paid',
    'active',
    ['payment_method.attached', 'subscription.activated', 'state subscription_activated'],
  ],
  [
    'an open trial checkout',
    'pending_payment',
    'checkout paid',
    'trialing',
    ['payment_method.attached', 'trial.started', 'state trial_started'],
  ],
  ['an open checkout', 'pending_payment', 'checkout declined', 'pending_payment', []],
  ['an open checkout', 'pending_payment', 'cancel', 'canceled', ['invoice.voided', ...canceled]],
  [
    'an open checkout',
    'pending_payment',
    'incompatible create',
    'canceled',
    [
      'invoice.voided',
      ...canceled,
      'subscription.created',
      'trial.checkout_ready',
      'state subscription_created',
    ],
  ],
  [
    'an open checkout',
    'pending_payment',
    'invoice marked paid',
    'active',
    ['subscription.activated', 'state subscription_activated'],
  ],
  ['an open checkout', 'pending_payment', 'invoice marked void', 'canceled', ['invoice.voided', ...canceled]],
  [
    'a trial with a valid card',
    'trialing',
    'trial end',
    'active',
    [
      ...notices,
      'trial.expired',
      'invoice.created',
      'payment.received',
      'subscription.activated',
      'state trial_expired',
    ],
  ],
  [
    'a trial with a declined card',
    'trialing',
    'trial end',
    'past_due',
    [
      ...notices,
      'trial.expired',
      'invoice.created',
      'payment.failed',
      'subscription.past_due',
      'state past_due',
    ],
  ],
  [
    'a trial with a card that requires authentication',
    'trialing',
    'trial end',
    'pending_payment',
    [...notices, 'trial.expired', 'invoice.created', 'payment.failed', 'state trial_expired'],
  ],
  [
    'a trial without a method',
    'trialing',
    'trial end',
    'pending_payment',
    [...notices, 'trial.expired', 'invoice.created', 'payment.failed', 'state trial_expired'],
  ],
  [
    'a trial of a plan at 0',
    'trialing',
    'trial end',
    'active',
    [...notices, 'trial.expired', 'invoice.created', 'subscription.activated', 'state trial_expired'],
  ],
  ['a trial with a valid card', 'trialing', 'cancel at the period end', 'trialing', scheduled],
  ['a trial with a valid card', 'trialing', 'cancel now', 'canceled', canceled],
  ['a trial to be canceled', 'trialing', 'trial end', 'canceled', [...notices, 'trial.expired', ...canceled]],
  [
    'a trial of the lower plan',
    'trialing',
    'change to the upper plan',
    'active',
    [
      'invoice.created',
      'payment.received',
      'subscription.activated',
      'trial.converted',
      'subscription.plan_changed',
      'state plan_change',
      'state trial_converted',
    ],
  ],
  [
    'a subscription to be downgraded',
    'active',
    'renewal date',
    'active',
    [
      'invoice.upcoming',
      'subscription.plan_changed',
      'state plan_change',
      'invoice.created',
      'payment.received',
    ],
  ],
  [
    'a subscription to be downgraded with a declined card',
    'active',
    'renewal date',
    'past_due',
    ['invoice.upcoming', 'subscription.plan_changed', 'state plan_change', ...failedRenewal.slice(1)],
  ],
  [
    'a subscription',
    'active',
    'renewal date',
    'active',
    ['invoice.upcoming', 'invoice.created', 'payment.received'],
  ],
  ['a subscription with a declined card', 'active', 'renewal date', 'past_due', failedRenewal],
  [
    'a subscription with a card that requires authentication',
    'active',
    'renewal date',
    'past_due',
    failedRenewal,
  ],
  ['a subscription without a method', 'active', 'renewal date', 'past_due', failedRenewal],
  ['a subscription', 'active', 'cancel at the period end', 'active', scheduled],
  ['a subscription', 'active', 'cancel now', 'canceled', canceled],
  ['an active free plan', 'active', 'cancel at the period end', 'canceled', canceled],
  ['a subscription to be canceled', 'active', 'renewal date', 'canceled', canceled],
  ['a subscription in dunning', 'past_due', 'retry settles', 'active', recovered],
  [
    'a subscription in dunning',
    'past_due',
    'recovery page paid',
    'active',
    ['payment_method.updated', ...recovered],
  ],
  ['a subscription in dunning', 'past_due', 'reactivated manually', 'active', recovered],
  [
    'a subscription in dunning',
    'past_due',
    'invoice marked paid',
    'active',
    ['payment.recovered', 'state subscription_activated'],
  ],
  [
    'a subscription in dunning',
    'past_due',
    'invoice marked void',
    'active',
    ['invoice.voided', 'credit_note.created', 'state subscription_activated'],
  ],
  ['a subscription in dunning', 'past_due', 'retry declined', 'past_due', ['invoice.overdue']],
  ['a subscription in dunning', 'past_due', 'reactivated manually, declined', 'past_due', []],
  [
    'a subscription before its last retry',
    'past_due',
    'last retry declined',
    'canceled',
    ['payment.retry_failed', ...canceled],
  ],
  [
    'a subscription in dunning',
    'past_due',
    'cancel',
    'canceled',
    ['invoice.voided', 'credit_note.created', ...canceled],
  ],
  [
    'a subscription',
    'active',
    'full refund',
    'canceled',
    ['payment.refunded', 'credit_note.created', ...canceled],
  ],
  [
    'an active one-time purchase',
    'active',
    'full refund',
    'canceled',
    ['payment.refunded', 'credit_note.created', ...canceled],
  ],
  [
    'a subscription in dunning',
    'past_due',
    'full refund',
    'canceled',
    ['payment.refunded', 'credit_note.created', 'invoice.voided', 'credit_note.created', ...canceled],
  ],
  [
    'a canceled subscription',
    'canceled',
    'reactivated manually',
    'active',
    ['invoice.created', 'payment.received', 'subscription.reactivated', 'state subscription_activated'],
  ],
  [
    'a canceled subscription with a declined card',
    'canceled',
    'reactivated manually, declined',
    'canceled',
    ['invoice.created'],
  ],
];

test.each(cells)(
  '%s (status %s) changes by the trigger "%s" to the status %s',
  (start, from, trigger, to, events) => {
    const world: World = provided[start]();
    expect(world.aggregate.subscriptions.at(-1)?.status ?? null).toBe(from);
    expect(world.sent).toBeDefined();
    const [first] = world.aggregate.subscriptions;
    when[trigger](world);
    const row =
      first === undefined
        ? world.subscription
        : world.aggregate.subscriptions.find(({ id }) => id === first.id);
    expect([row?.status, world.sent]).toEqual([to, events]);
  },
);

test('the cases cover every transition between statuses', () => {
  const covered = new Set(cells.map(([, from, , to]) => `${from} ${to}`));
  const known = Object.entries(subscriptionTransitions).flatMap(([from, targets]) =>
    targets.map((to) => `${from} ${to}`),
  );
  expect(known.filter((step) => !covered.has(step))).toEqual([]);
});

import { Rejected } from './output.ts';
import {
  cards,
  climb,
  createCustomer,
  createPlan,
  debits,
  declineTopUp,
  type PlanTerms,
  payCheckout,
  payWith,
  type Recipe,
  type Stage,
  subscribe,
  subscribeWith,
  track,
} from './recipe-stage.ts';

// Recipes that advance the test clock.

/** Returns the time some days after the test clock's time. */
async function daysFromNow({ client }: Parameters<Recipe['run']>[0], days: number): Promise<string> {
  const { now } = await client.testClock.get();
  return new Date(Date.parse(now) + days * 86_400_000).toISOString();
}

/** Requests a payout of $10.00. Returns its ID. */
async function requestPayout({ client }: Stage): Promise<string> {
  const { payoutSimulate } = await client.graphql<{ payoutSimulate: { id: string } }>(
    'mutation { payoutSimulate(input: { amount: 1000 }) { id } }',
  );
  return payoutSimulate.id;
}

export const clockRecipes: readonly Recipe[] = [
  {
    causes: ['trial.checkout_ready', 'trial.started', 'trial.will_end', 'trial.expired'],
    movesClock: true,
    run: async (stage) => {
      await subscribe(stage, await createPlan(stage, { price: { trialDays: 14 } }));
      await stage.advanceDays(15);
    },
  },
  {
    causes: ['subscription.past_due', 'payment.failed', 'payment.retry_failed', 'invoice.upcoming'],
    movesClock: true,
    run: async (stage) => {
      await subscribe(stage, await createPlan(stage), cards.declinesLater);
      await stage.advanceDays(40);
    },
  },
  {
    causes: ['payment.recovered'],
    movesClock: true,
    run: async (stage) => {
      const { id } = await subscribe(stage, await createPlan(stage), cards.declinesLater);
      await stage.advanceDays(32);
      const { url } = await stage.client.subscriptions.recoveryLinkCreate(id);
      await stage.page.graphql(
        'mutation ($input: RecoveryPayInput!) { recoveryPay(input: $input) { status } }',
        {
          input: {
            token: url.split('/').at(-1),
            card: { number: cards.pays, expMonth: 12, expYear: 2099, cvc: '123' },
          },
        },
      );
    },
  },
  {
    causes: ['invoice.overdue'],
    movesClock: true,
    run: async (stage) => {
      const { customerId } = await subscribe(stage, await createPlan(stage));
      await stage.client.invoices.adjustmentCreate({ customerId, amount: 500, description: 'Set-up' });
      await stage.advanceDays(40);
    },
  },
  {
    causes: ['checkout.expired'],
    movesClock: true,
    run: async (stage) => {
      // A sandbox key can't change the setting, because it also applies to the live environment.
      const { organization } = await stage.client.graphql<{
        organization: { checkoutExpiryHours: number | null };
      }>('{ organization { checkoutExpiryHours } }');
      if (organization.checkoutExpiryHours === null)
        throw new Rejected(
          'Checkouts never expire. Set checkoutExpiryHours first, as an admin or with a live key.',
        );
      await stage.client.subscriptions.create({
        customerId: (await createCustomer(stage)).id,
        planId: (await createPlan(stage)).id,
      });
      await stage.advanceDays(Math.ceil(organization.checkoutExpiryHours / 24));
    },
  },
  {
    causes: ['payment_method.expiring'],
    movesClock: true,
    run: async (stage) => {
      // The card expires at the end of the month, before the first renewal.
      const month = new Date();
      const subscription = await stage.client.subscriptions.create({
        customerId: (await createCustomer(stage)).id,
        planId: (await createPlan(stage)).id,
      });
      await payCheckout(stage, subscription.checkoutUrl, cards.pays, {
        expMonth: month.getUTCMonth() + 1,
        expYear: month.getUTCFullYear(),
      });
      await stage.advanceDays(20);
    },
  },
  {
    causes: ['plan_grant.expired'],
    movesClock: true,
    run: async (stage) => {
      const { customerId, id, high } = await climb(stage);
      await stage.client.customers.planGrantCreate(customerId, {
        subscriptionId: id,
        planId: high.id,
        reason: 'Preview of the higher plan.',
        duration: 'cycles',
        durationCycles: 1,
      });
      await stage.advanceDays(32);
    },
  },
  {
    causes: ['lot.expiring', 'lot.expired'],
    movesClock: true,
    run: async (stage) => {
      const plan: PlanTerms = { model: 'credits', price: { includedCredits: 10 } };
      const { customerId, id } = await subscribe(stage, await createPlan(stage, plan));
      await stage.client.customers.lotGrant(customerId, {
        amount: 50,
        asset: 'credits',
        subscriptionId: id,
        expiresAt: await daysFromNow(stage, 10),
      });
      await stage.advanceDays(12);
    },
  },
  {
    causes: ['credits.expired'],
    movesClock: true,
    run: async (stage) => {
      const plan: PlanTerms = { model: 'credits', price: { includedCredits: 10 } };
      await subscribe(stage, await createPlan(stage, plan));
      await stage.advanceDays(32);
    },
  },
  {
    causes: ['commitment.ended'],
    movesClock: true,
    run: async (stage) => {
      const { id } = await subscribe(stage, await createPlan(stage, { model: 'balance' }));
      await stage.client.subscriptions.commitmentPurchase(id, {
        price: 10_000,
        grant: 1_100_000,
        validMonths: 1,
      });
      await stage.advanceDays(32);
    },
  },
  {
    causes: [
      'payment.scheduled',
      'payment.processing',
      'mandate.created',
      'payment.returned',
      'invoice.reopened',
      'invoice.updated',
    ],
    movesClock: true,
    run: async (stage) => {
      const plan = await createPlan(stage);
      const { id: planId } = plan;
      await stage.client.plans.currencySet(planId, { currency: 'eur', exchangeRate: 1 });
      const subscription = await stage.client.subscriptions.create({
        customerId: (await createCustomer(stage)).id,
        planId,
      });
      await payWith(stage, subscription.checkoutUrl, debits.returns);
      await stage.advanceDays(30);
    },
  },
  {
    causes: ['mandate.revoked'],
    movesClock: true,
    run: async (stage) => {
      const { id: planId } = await createPlan(stage);
      await stage.client.plans.currencySet(planId, { currency: 'eur', exchangeRate: 1 });
      const subscription = await stage.client.subscriptions.create({
        customerId: (await createCustomer(stage)).id,
        planId,
      });
      await payWith(stage, subscription.checkoutUrl, debits.revokes);
      await stage.advanceDays(45);
    },
  },
  {
    causes: ['payout.available', 'payout.created', 'payout.canceled', 'payout.failed', 'payout.paid'],
    movesClock: true,
    run: async (stage) => {
      await subscribe(stage, await createPlan(stage));
      await stage.advanceDays(8);
      const canceled = await requestPayout(stage);
      await stage.client.graphql('mutation ($id: ID!) { payoutCancel(input: { id: $id }) { id } }', {
        id: canceled,
      });
      for (const outcome of ['failed', 'paid'])
        await stage.client.graphql(
          'mutation ($input: PayoutOutcomeSimulateInput!) { payoutOutcomeSimulate(input: $input) { id } }',
          { input: { id: await requestPayout(stage), outcome } },
        );
    },
  },
  {
    causes: ['auto_topup.paused', 'auto_topup.resumed'],
    movesClock: true,
    run: async (stage) => {
      const { customerId } = await declineTopUp(stage);
      // The third declined attempt pauses the top-up.
      await stage.advanceDays(3);
      await stage.client.customers.autoTopUpResume(customerId, {});
    },
  },
  {
    causes: ['usage.anomaly'],
    movesClock: true,
    run: async (stage) => {
      const terms = { includedAmount: 0, overage: { enabled: true, unitPrice: 100 } };
      const subscription = await subscribeWith(stage, {}, 'usage', terms);
      await stage.client.limits.create({
        scope: { customer: subscription.customerId },
        measure: 'units',
        filter: { features: [subscription.featureCode] },
        window: { kind: 'day', timeZone: 'UTC' },
        action: 'notify',
        anomaly: { factor: 3, minimum: 10 },
      });
      // Usage of a day is unusual only after 7 days with usage.
      for (let day = 0; day < 7; day++) {
        await track(stage, subscription, 5);
        await stage.advanceDays(1);
      }
      await track(stage, subscription, 500);
    },
  },
  {
    causes: ['hold.expired', 'hold.settled_late'],
    movesClock: true,
    run: async (stage) => {
      const subscription = await subscribeWith(stage, {}, 'usage', {
        includedAmount: 10,
        overage: { enabled: true, unitPrice: 10_000 },
      });
      const { customerId, featureCode } = subscription;
      const { id } = await stage.client.usage.hold({
        customerId,
        featureCode,
        estimate: { value: 5 },
        expiresIn: 60,
      });
      await stage.advanceDays(1);
      await stage.client.usage.settle(id, { value: 3 });
    },
  },
];

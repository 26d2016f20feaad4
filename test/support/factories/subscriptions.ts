import { newId } from '../../../src/platform/ids.ts';
import { systemContext } from '../../../src/request/context.ts';
import { inTransaction, nextSeq } from '../../../src/request/transaction.ts';
import { eventually } from '../eventually.ts';
import { createLadder, createPricedPlan, type MadeLadder } from './catalog.ts';
import { neededAddress } from './countries.ts';
import { createCustomer } from './customers.ts';
import { type Body, type Made, made, type Shop } from './shop.ts';

export type MadeSubscription = Made & {
  readonly customerId: string;
  readonly planId: string;
  readonly token: string | null;
};

/** Activates an add-on at the test clock's time by inserting a row. */
export async function activateAddon(shop: Shop, subscriptionId: string, addonId: string): Promise<void> {
  await inTransaction(await systemContext(shop.t.app, shop.environmentId), async (ctx) => {
    const about = { id: newId('ada'), seq: await nextSeq(ctx), subscriptionId, addonId };
    await ctx.db.addonActivation.create({
      data: {
        ...about,
        status: 'active',
        proratedMinor: 0n,
        invoiceId: null,
        createdAt: ctx.clock.now(),
        deactivatedAt: null,
        paidUntil: null,
      },
    });
  });
}

/** Creates a customer with an active subscription to the lower paid plan of a new plan group. */
export async function createClimber(shop: Shop, card?: string): Promise<MadeLadder & MadeSubscription> {
  const [ladder, customer] = [await createLadder(shop), await createCustomer(shop)];
  const subscription = await subscribeTo(shop, customer.id, ladder.lowId);
  await pay(shop, subscription.token, card);
  return { ...ladder, ...subscription };
}

/** Subscribes a new customer to a new plan. The subscription is pending payment unless the plan is free. */
export async function createSubscription(shop: Shop, price: Body = {}): Promise<MadeSubscription> {
  const [plan, customer] = [await createPricedPlan(shop, price), await createCustomer(shop)];
  return subscribeTo(shop, customer.id, plan.id);
}

export async function subscribeTo(shop: Shop, customerId: string, planId: string): Promise<MadeSubscription> {
  const { id, checkoutUrl } = await made(
    shop.rest<Made & { checkoutUrl: string | null }>('POST', '/subscriptions', { customerId, planId }),
  );
  return { id, customerId, planId, token: checkoutUrl?.split('/').at(-1) ?? null };
}

export const cards = {
  pays: '4242424242424242',
  declines: '4000000000000002',
  declinesLater: '4000000000000341',
  authenticates: '4000002500003155',
} as const;

/** Returns the input for `checkoutPay`. */
export const payment = (token: string | null, number: string = cards.pays): Body => ({
  token,
  card: { number, expMonth: 12, expYear: 2099, cvc: '123' },
});

const payOperation = 'mutation Pay($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';

/** Pays an open checkout as the hosted page does. Returns the resulting status. Throws if the payment is declined. */
export async function pay(shop: Shop, token: string | null, number: string = cards.pays): Promise<string> {
  const { checkoutPay } = await shop.t.graphql<{ checkoutPay: { status: string } }>(
    payOperation,
    { input: { ...payment(token, number), ...(await neededAddress(shop, 'checkout', token)) } },
    { key: null },
  );
  return checkoutPay.status;
}

export async function createActiveSubscription(shop: Shop, price: Body = {}): Promise<MadeSubscription> {
  const subscription = await createSubscription(shop, price);
  await pay(shop, subscription.token);
  return subscription;
}

/** Opens a portal session for a customer. Returns its token. */
export async function openPortal(shop: Shop, customerId: string): Promise<string> {
  const { portalUrl } = await made(
    shop.rest<{ portalUrl: string }>('POST', '/portal/sessions', { customerId }),
  );
  return portalUrl.split('/').at(-1) ?? '';
}

/** Waits until no clock run is active in the sandbox. Returns the status of the last run. */
export async function clockSettled(shop: Shop): Promise<string> {
  const read = () => made(shop.rest<{ latestRun: { status: string } | null }>('GET', '/test-clock'));
  const { latestRun } = await eventually(
    read,
    ({ latestRun: run }) => run?.status !== 'pending' && run?.status !== 'running',
  );
  return latestRun?.status ?? 'none';
}

/** Advances the test clock and waits until the clock run ends. Returns the run's status. */
export async function advanceDays(shop: Shop, days: number): Promise<string> {
  await made(shop.rest('POST', '/test-clock', { advanceDays: days }));
  return clockSettled(shop);
}

/** Creates a subscription and advances the test clock by 31 days. The renewal is declined. */
export async function createPastDueSubscription(shop: Shop): Promise<MadeSubscription> {
  await clockSettled(shop);
  const subscription = await createSubscription(shop);
  await pay(shop, subscription.token, cards.declinesLater);
  await advanceDays(shop, 31);
  return subscription;
}

/**
 * Pays a new subscription by a simulated debit from a bank account in the United States. Returns the IDs of the transaction, which is
 * processing, of the mandate, and of the customer.
 */
export async function createDebit(
  shop: Shop,
  paymentMethod = 'tok_sandbox_ach_debit_settles_6789',
): Promise<
  Made & { readonly mandateId: string; readonly customerId: string; readonly subscriptionId: string }
> {
  const { id: subscriptionId, customerId, token } = await createSubscription(shop);
  await shop.t.graphql(
    payOperation,
    { input: { token, paymentMethod, ...(await neededAddress(shop, 'checkout', token)) } },
    { key: null },
  );
  const { subscription, customer } = await shop.t.graphql<{
    subscription: { transactions: { edges: { node: Made }[] } };
    customer: { mandates: Made[] };
  }>(
    'query ($id: ID!, $customerId: ID!) { subscription(id: $id) { transactions(first: 1) { edges { node { id } } } } customer(id: $customerId) { mandates { id } } }',
    { id: subscriptionId, customerId },
    { key: shop.key },
  );
  const [[attempt], [mandate]] = [subscription.transactions.edges, customer.mandates];
  if (attempt === undefined || mandate === undefined) throw new Error('The subscription has no debit.');
  return { id: attempt.node.id, mandateId: mandate.id, customerId, subscriptionId };
}

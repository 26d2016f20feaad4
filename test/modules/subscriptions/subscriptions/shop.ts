import { fixedClock } from '../../../../src/platform/clock.ts';
import { type Settings, startApp, type TestApp } from '../../../support/harness.ts';

// Shop with a small catalog, created through the public API. The clock is fixed at `now`.

export const now = new Date('2026-03-31T16:20:00.000Z');

export const goodCard = { number: '4242 4242 4242 4242', expMonth: 12, expYear: 2030, cvc: '123' };
export const declinedCard = { ...goodCard, number: '4000 0000 0000 0002' };
export const authenticatingCard = { ...goodCard, number: '4000 0000 0000 3220' };

/** Fields of a subscription that the helpers read. */
type Made = {
  readonly id: string;
  readonly status: string;
  readonly checkoutUrl: string | null;
  readonly priceId: string | null;
};

export type Shop = TestApp & {
  readonly proId: string;
  readonly proPriceId: string;
  readonly freeId: string;
  readonly trialId: string;
  /** Creates a customer and returns its ID. */
  readonly customer: (externalId?: string) => Promise<string>;
  readonly subscribe: (input: Record<string, unknown>) => Promise<Made>;
  /** Returns the token of a checkout URL. */
  readonly tokenOf: (made: Made) => string;
  /** Pays a checkout without an API key, as its hosted page does. */
  readonly pay: (token: string, card?: object, more?: Record<string, unknown>) => Promise<{ status: string }>;
  /** Creates a customer with an active subscription to the plan `pro`. */
  readonly activeCustomer: () => Promise<{ customerId: string; subscriptionId: string }>;
};

const subscriptionCreate = `mutation ($input: SubscriptionCreateInput!) {
  subscriptionCreate(input: $input) { id status checkoutUrl priceId } }`;

export const checkoutPay =
  'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status subscription { id: subscriptionId status } } }';

/**
 * Opens a shop with three plans: `pro` for 34.00 per month with one feature of each type, `free`, and `trial` for 20.00 with a 10-day
 * trial.
 */
export async function openShop(settings: Pick<Settings, 'writesEvents'> = {}): Promise<Shop> {
  const t = await startApp({ wall: fixedClock(now), ...settings });
  const one = async (operation: string, input: Record<string, unknown>): Promise<string> => {
    const [made] = Object.values(await t.graphql<Record<string, { id: string }>>(operation, { input }));
    return made?.id ?? '';
  };
  const feature = (input: Record<string, unknown>) =>
    one('mutation ($input: FeatureCreateInput!) { featureCreate(input: $input) { id } }', input);
  const plan = (input: Record<string, unknown>) =>
    one('mutation ($input: PlanCreateInput!) { planCreate(input: $input) { id } }', input);
  const price = (input: Record<string, unknown>) =>
    one('mutation ($input: PlanPriceAddInput!) { planPriceAdd(input: $input) { id } }', input);
  const attach = (input: Record<string, unknown>) =>
    t.graphql('mutation ($input: PlanFeatureAddInput!) { planFeatureAdd(input: $input) { featureId } }', {
      input,
    });

  const proId = await plan({ code: 'pro', name: 'Pro' });
  const sso = await feature({ code: 'sso', name: 'Single sign-on', type: 'boolean' });
  const calls = await feature({ code: 'calls', name: 'Calls', type: 'usage', unitName: 'call' });
  const people = await feature({ code: 'people', name: 'People', type: 'seats' });
  const disk = await feature({ code: 'disk', name: 'Disk', type: 'quota' });
  await attach({ planId: proId, featureId: sso, enabled: true });
  await attach({
    planId: proId,
    featureId: calls,
    includedAmount: 1000,
    overage: { enabled: true, unitPrice: 25 },
  });
  await attach({
    planId: proId,
    featureId: people,
    includedAmount: 3,
    overage: { enabled: true, unitPrice: 90000 },
  });
  await attach({ planId: proId, featureId: disk, unlimited: true });
  const proPriceId = await price({ planId: proId, billingInterval: 'monthly', price: 3400 });
  const freeId = await plan({ code: 'free', name: 'Free', isFree: true });
  const trialId = await plan({ code: 'trial', name: 'Trial' });
  await price({ planId: trialId, billingInterval: 'monthly', price: 2000, trialDays: 10 });

  let made = 0;
  const customer = (externalId?: string): Promise<string> =>
    one('mutation ($input: CustomerCreateInput!) { customerCreate(input: $input) { id } }', {
      email: `person${++made}@example.com`,
      ...(externalId === undefined ? {} : { externalId }),
    });
  const subscribe = async (input: Record<string, unknown>): Promise<Made> =>
    (await t.graphql<{ subscriptionCreate: Made }>(subscriptionCreate, { input })).subscriptionCreate;
  const tokenOf = (subscription: Made): string => subscription.checkoutUrl?.split('/').at(-1) ?? '';
  const pay = async (
    token: string,
    card: object = goodCard,
    more: Record<string, unknown> = {},
  ): Promise<{ status: string }> =>
    (
      await t.graphql<{ checkoutPay: { status: string } }>(
        checkoutPay,
        { input: { token, card, ...more } },
        { key: null },
      )
    ).checkoutPay;
  return {
    ...t,
    proId,
    proPriceId,
    freeId,
    trialId,
    customer,
    subscribe,
    tokenOf,
    pay,
    activeCustomer: async () => {
      const customerId = await customer();
      const subscription = await subscribe({ customerId, planId: proId });
      await pay(tokenOf(subscription));
      return { customerId, subscriptionId: subscription.id };
    },
  };
}

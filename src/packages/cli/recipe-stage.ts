// Objects for recipes: customers, plans, and subscriptions of a sandbox.
import { type EventType, type Quittance, QuittanceError } from '../sdk/index.ts';
import { type Overrides, overridesOf } from './overrides.ts';

/** Clients of a recipe: `client` has the API key, and `page` acts as the payer on hosted pages. */
export type Stage = {
  readonly client: Quittance;
  readonly page: Quittance;
  readonly advanceDays: (days: number) => Promise<void>;
  /** Values that replace those of new customers and prices, such as `customer.email` and `price.price`. */
  readonly overrides?: Overrides;
};

export type Recipe = {
  /** Event types that the recipe causes. */
  readonly causes: readonly EventType[];
  /** Whether the recipe advances the test clock, which affects all subscriptions of the sandbox. */
  readonly movesClock?: true;
  readonly run: (stage: Stage) => Promise<unknown>;
};

export const cards = {
  pays: '4242424242424242',
  declines: '4000000000000002',
  declinesLater: '4000000000000341',
  disputes: '4000000000000259',
  otherPays: '5555555555554444',
} as const;

/** Returns a name that isn't taken, such as `plan_m3k9x2`. */
export const unique = (kind: string): string => `${kind}_${crypto.randomUUID().slice(0, 8)}`;

export const createCustomer = ({ client, overrides = new Map() }: Stage) =>
  client.customers.create({
    email: `${unique('trigger')}@example.com`,
    fullName: 'Ada Lovelace',
    ...overridesOf(overrides, 'customer'),
  });

export type PlanTerms = {
  readonly model?: 'metered' | 'credits' | 'balance';
  readonly price?: Partial<Parameters<Quittance['plans']['priceAdd']>[1]>;
  readonly planGroupId?: string;
};

/** Creates a plan for 49.00 a month. */
export async function createPlan(
  { client, overrides = new Map() }: Stage,
  { model = 'metered', price, planGroupId }: PlanTerms = {},
) {
  const code = unique('plan');
  const plan = await client.plans.create({
    name: `Plan ${code}`,
    code,
    consumptionModel: model,
    ...(planGroupId === undefined ? {} : { planGroupId }),
  });
  await client.plans.priceAdd(plan.id, {
    billingInterval: 'monthly',
    price: 4_900,
    ...price,
    ...overridesOf(overrides, 'price'),
  });
  return plan;
}

/** Tokens of test accounts that pay by bank debit. */
export const debits = {
  returns: 'tok_sandbox_sepa_debit_returns_3002',
  revokes: 'tok_sandbox_sepa_debit_revokes_3005',
} as const;

type Expiry = { readonly expMonth: number; readonly expYear: number };

const pay = ({ page }: Stage, checkoutUrl: string | null | undefined, input: object) =>
  page.graphql('mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }', {
    input: { token: checkoutUrl?.split('/').at(-1), ...input },
  });

/** Pays a checkout with a card on the hosted page. */
export const payCheckout = (
  stage: Stage,
  checkoutUrl: string | null | undefined,
  number: string = cards.pays,
  expiry: Expiry = { expMonth: 12, expYear: 2099 },
) => pay(stage, checkoutUrl, { card: { number, ...expiry, cvc: '123' }, billingAddress: { country: 'NO' } });

/** Pays a checkout in euros by bank debit on the hosted page. */
export const payWith = (stage: Stage, checkoutUrl: string | null | undefined, paymentMethod: string) =>
  pay(stage, checkoutUrl, { paymentMethod, consent: true, billingAddress: { country: 'DE' } });

/** Subscribes a new customer to a plan, and pays the checkout. */
export async function subscribe(stage: Stage, plan: { readonly id: string }, card: string = cards.pays) {
  const customer = await createCustomer(stage);
  const subscription = await stage.client.subscriptions.create({ customerId: customer.id, planId: plan.id });
  if (subscription.checkoutUrl !== null) await payCheckout(stage, subscription.checkoutUrl, card);
  return { customerId: customer.id, id: subscription.id };
}

export type FeatureTerms = Partial<Parameters<Quittance['plans']['featureAdd']>[1]>;

/** Creates a feature, and includes it in a plan. */
async function includeFeature(
  { client }: Stage,
  planId: string,
  type: 'usage' | 'seats',
  terms: FeatureTerms,
) {
  const code = unique('feature');
  const feature = await client.features.create({ name: code, code, type });
  await client.plans.featureAdd(planId, { featureId: feature.id, ...terms });
  return feature;
}

/** Subscribes a customer to a plan with a feature. */
export async function subscribeWith(
  stage: Stage,
  plan: PlanTerms,
  type: 'usage' | 'seats',
  terms: FeatureTerms,
  card: string = cards.pays,
) {
  const { id } = await createPlan(stage, plan);
  const feature = await includeFeature(stage, id, type, terms);
  return { ...(await subscribe(stage, { id }, card)), planId: id, featureCode: feature.code };
}

export const track = (
  { client }: Stage,
  { customerId, featureCode }: { customerId: string; featureCode: string },
  value: number,
) => client.usage.track({ customerId, featureCode, value, eventId: crypto.randomUUID() });

/** Records usage that triggers an automatic top-up of a balance, for which the customer's card is declined. */
export async function declineTopUp(stage: Stage) {
  const plan: PlanTerms = { model: 'balance', price: { includedBalance: 100_000 } };
  const terms = { overage: { enabled: true, unitPrice: 10_000 } };
  const subscription = await subscribeWith(stage, plan, 'usage', terms, cards.declinesLater);
  await stage.client.customers.autoTopUpSet(subscription.customerId, {
    threshold: 50_000,
    refill: { amount: 2_000 },
    maxAmountPerMonth: 10_000,
    consentReference: 'terms-2026',
  });
  await track(stage, subscription, 8);
  return subscription;
}

/** Runs a request that the service is expected to reject. Throws other errors. */
export async function rejected(code: string, request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (error instanceof QuittanceError && error.code === code) return;
    throw error;
  }
}

/** Subscribes a customer to the lower plan of a group of two plans. */
export async function climb(stage: Stage) {
  const { id: planGroupId } = await stage.client.planGroups.create({ name: unique('group') });
  const low = await createPlan(stage, { planGroupId });
  const high = await createPlan(stage, { planGroupId, price: { price: 9_900 } });
  return { ...(await subscribe(stage, low)), low, high };
}

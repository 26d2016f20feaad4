import { systemContext } from '../../src/context.ts';
import { newId } from '../../src/platform/ids.ts';
import { inTransaction, nextSeq } from '../../src/transaction.ts';
import { eventually } from './eventually.ts';
import { type Answer, type CallOptions, newTenant, type TestApp } from './harness.ts';

// What tests stand on, made as clients make it: through REST, and checkoutPay where the page pays.

type Body = Record<string, unknown>;

/** A tenant's sandbox as its clients reach it, with counters of its own, so that two shops asked for the same things name them alike. */
export type Shop = {
  readonly t: TestApp;
  readonly key: string;
  readonly environmentId: string;
  readonly rest: <T = Body>(
    method: string,
    path: string,
    body?: unknown,
    options?: CallOptions,
  ) => Promise<Answer<T>>;
  /** `<kind><n>`, n counting up from 1 in this shop. */
  readonly next: (kind: string) => string;
};

/** A shop with a key of an environment. */
export function shopOf(t: TestApp, key: string, environmentId: string): Shop {
  const counts = new Map<string, number>();
  return {
    t,
    key,
    environmentId,
    rest: (method, path, body, options = {}) => t.rest(method, path, body, { key, ...options }),
    next: (kind) => {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      return `${kind}${count}`;
    },
  };
}

/** The shop of the application's first tenant. */
export const firstShop = (t: TestApp): Shop => shopOf(t, t.sandboxKey, t.sandboxId);

/** The shop of another, new tenant. */
export async function otherShop(t: TestApp, name = 'Another organization'): Promise<Shop> {
  const { sandboxKey, sandboxId } = await newTenant(t.app, name);
  return shopOf(t, sandboxKey, sandboxId);
}

/** The answer's body; throws when the call did not succeed, since a fixture that failed makes no test. */
async function made<T>(call: Promise<Answer<T>>): Promise<T> {
  const { status, body } = await call;
  if (status >= 300) throw new Error(`A fixture was rejected with ${status}: ${JSON.stringify(body)}`);
  return body;
}

export type Made = { readonly id: string };
export type MadeFeature = Made & { readonly code: string; readonly name: string };
export type MadeAddon = Made & { readonly slug: string; readonly name: string; readonly featureCode: string };
export type MadeMarket = Made & { readonly countryCodes: readonly string[] };
export type MadeCreditPack = Made & { readonly name: string };
export type MadePlan = Made & { readonly code: string };
export type MadeCustomer = Made & { readonly externalId: string };
export type MadeSubscription = Made & {
  readonly customerId: string;
  readonly planId: string;
  readonly token: string | null;
};

export function createFeature(shop: Shop, type = 'seats'): Promise<MadeFeature> {
  const code = shop.next('feature');
  return made(shop.rest<MadeFeature>('POST', '/features', { name: `Name of ${code}`, code, type }));
}

/** A boolean add-on for 9.00 USD by default; for a new boolean feature by default which. */
export async function createAddon(shop: Shop, body: Body = {}): Promise<MadeAddon> {
  const featureId = body['featureId'] ?? (await createFeature(shop, 'boolean')).id;
  const terms = { name: shop.next('addon'), basePrice: 900, featureId, consumptionModel: 'boolean' };
  return made(shop.rest<MadeAddon>('POST', '/addons', { ...terms, ...body }));
}

/** Switches an add-on on for a subscription, as of the shop's time, by a row of its own. */
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
      },
    });
  });
}

/** An active pack of 1 000 credits for 25.00 USD. */
export const createCreditPack = (shop: Shop): Promise<MadeCreditPack> =>
  made(
    shop.rest<MadeCreditPack>('POST', '/credit-packs', {
      name: shop.next('pack'),
      credits: 1_000,
      price: 2_500,
    }),
  );

/** An endpoint nobody answers at, for a kind of event that no fixture causes. */
export const createWebhook = (shop: Shop, body: Body = {}): Promise<Made & { readonly secretKey: string }> =>
  made(
    shop.rest('POST', '/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['payout.failed'], ...body }),
  );

/** Phases of an offer as callers write them. */
export const off = {
  percent: (percentage: number, durationCycles: number | null = 1): Body => ({
    type: 'percentage',
    percentage,
    durationCycles,
  }),
  amount: (amount: number, durationCycles: number | null = 1, currency = 'usd'): Body => ({
    type: 'amount_off',
    durationCycles,
    amounts: [{ currency, amount }],
  }),
  trial: (durationDays: number): Body => ({ type: 'free_trial', durationDays }),
} as const;

/** An active offer; 25 % off one cycle by default. */
export const createOffer = (
  shop: Shop,
  phases: readonly Body[] = [off.percent(2_500)],
  body: Body = {},
): Promise<Made> => made(shop.rest<Made>('POST', '/offers', { name: shop.next('offer'), phases, ...body }));

/** A promo code for a new offer of 25 % off one cycle by default. */
export async function createPromoCode(
  shop: Shop,
  body: Body = {},
): Promise<Made & { readonly code: string }> {
  const offerId = body['offerId'] ?? (await createOffer(shop)).id;
  return made(
    shop.rest<Made & { code: string }>('POST', '/promo-codes', { code: shop.next('CODE'), offerId, ...body }),
  );
}

/** Lets the shop's organization tie offers to cards, as who runs the service does; both its environments share the switch. */
export async function allowCardPromotions({ t, environmentId }: Shop): Promise<void> {
  await t.app.database.query(
    'UPDATE "Organization" SET "cardPromotions" = true WHERE id = (SELECT "organizationId" FROM "Environment" WHERE id = $1)',
    [environmentId],
  );
}

/** A card promotion of 30 % off one cycle for cards that begin with these digits. */
export async function createCardPromotion(
  shop: Shop,
  bins: readonly string[],
  body: Body = {},
): Promise<Made> {
  await allowCardPromotions(shop);
  const { cardPromotionCreate } = await shop.t.graphql<{ cardPromotionCreate: Made }>(
    'mutation ($input: CardPromotionCreateInput!) { cardPromotionCreate(input: $input) { id } }',
    { input: { offerId: (await createOffer(shop, [off.percent(3_000)])).id, bins, ...body } },
    { key: shop.key },
  );
  return cardPromotionCreate;
}

/** What connects a Stripe account to a sandbox. */
export const connectionKeys = (shop: Shop): Body => ({
  name: shop.next('account'),
  secretKey: 'sk_test_1',
  publishableKey: 'pk_test_1',
});

/** A Stripe account of the shop's organization that nothing is routed to, by default. */
export async function createConnection(shop: Shop, body: Body = {}): Promise<Made> {
  const { connectedAccountCreate } = await shop.t.graphql<{ connectedAccountCreate: Made }>(
    'mutation ($input: ConnectedAccountCreateInput!) { connectedAccountCreate(input: $input) { id } }',
    { input: { ...connectionKeys(shop), ...body } },
    { key: shop.key },
  );
  return connectedAccountCreate;
}

/** A Stripe account that takes new checkouts of the shop, by default; the organization has the address such invoices need. */
export async function connectStripe(shop: Shop, body: Body = {}): Promise<Made> {
  await shop.t.graphql(
    'mutation { organizationUpdate(input: { issuerAddress: "1 Main St" }) { id } }',
    {},
    { key: shop.key },
  );
  return createConnection(shop, { isDefault: true, ...body });
}

/** Routes a country to a connection, or to the platform's own processor. */
export const routeCountry = (shop: Shop, country: string, provider: string | null): Promise<Body> =>
  shop.t.graphql(
    'mutation ($input: PaymentRouteSetInput!) { paymentRouteSet(input: $input) { country } }',
    { input: { country, provider } },
    { key: shop.key },
  );

/** Countries that no test names, with currencies that are not sold. */
const unnamedCountries =
  'AG AI AW BI BJ BS BT BW BZ CV DJ DM ER FK GD GI GM GN GY HT IM JE KI KM KN KY LC LR LS MS MU MV MW NR NU PG PN RW SB SC SH'.split(
    ' ',
  );

/** A country nobody else of the shop has named. */
export const nextCountry = (shop: Shop): string => {
  const country = unnamedCountries[Number(shop.next('country').slice('country'.length)) - 1];
  if (country === undefined) throw new Error('The shop has used up the countries.');
  return country;
};

/** Environments registered for tax: pages need the country of a payer there, where nobody knows it. */
const registered = new Set<string>();

/** Notes that a shop is registered for tax. */
export const noteRegistration = ({ environmentId }: Shop): void => void registered.add(environmentId);

/** The billing address a page needs before it can be paid: a country without tax, or none. */
export async function neededAddress(
  shop: Shop,
  page: 'checkout' | 'paymentLink',
  token: string | null,
): Promise<Body> {
  if (!registered.has(shop.environmentId)) return {};
  const query = `query ($token: String!) { shown: ${page}(token: $token) { requiresBillingCountry } }`;
  const { shown } = await shop.t.graphql<{ shown: { requiresBillingCountry: boolean } }>(
    query,
    { token },
    { key: null },
  );
  return shown.requiresBillingCountry ? { billingAddress: { country: 'NO' } } : {};
}

/** A tax registration in a country nobody else of the shop has, so that it taxes nobody. */
export async function createTaxRegistration(shop: Shop): Promise<Made> {
  noteRegistration(shop);
  const { taxRegistrationCreate } = await shop.t.graphql<{ taxRegistrationCreate: Made }>(
    'mutation ($input: TaxRegistrationCreateInput!) { taxRegistrationCreate(input: $input) { id } }',
    { input: { country: nextCountry(shop), rateBps: 1_000 } },
    { key: shop.key },
  );
  return taxRegistrationCreate;
}

/** A market of one country nobody else of the shop has, by default which. */
export function createMarket(shop: Shop, countryCodes?: readonly string[]): Promise<MadeMarket> {
  const name = shop.next('market');
  return made(
    shop.rest<MadeMarket>('POST', '/markets', { name, countryCodes: countryCodes ?? [nextCountry(shop)] }),
  );
}

/** Sells a plan in a currency by an exchange rate. */
export const setCurrency = (
  shop: Shop,
  planId: string,
  currency: string,
  exchangeRate: number,
  body: Body = {},
): Promise<Body> => made(shop.rest('PUT', `/plans/${planId}/regional`, { currency, exchangeRate, ...body }));

/** A delivery that failed permanently, at an endpoint no dispatcher serves, so that nothing more happens to it automatically. */
export async function createDelivery(shop: Shop): Promise<Made & { readonly webhookId: string }> {
  const { id: webhookId } = await createWebhook(shop);
  const { query } = shop.t.app.database;
  await query(
    `UPDATE "WebhookCursor" SET "leaseUntil" = '2999-01-01Z' WHERE "environmentId" = $1 AND id = $2`,
    [shop.environmentId, webhookId],
  );
  const id = newId('whd');
  await query(
    `INSERT INTO "WebhookDelivery" ("environmentId", id, seq, "webhookId", "eventId", kind, "occurredAt", position, status, attempts, "createdAt", "finishedAt", version)
     SELECT $1, $2, 1, $3, 'whev_gone', 'payout.failed', now(), 1, 'failed', 8, now(), now(), 1`,
    [shop.environmentId, id, webhookId],
  );
  return { id, webhookId };
}

/** A plan without prices. */
export function createPlan(shop: Shop, body: Body = {}): Promise<MadePlan> {
  const code = shop.next('plan');
  return made(shop.rest<MadePlan>('POST', '/plans', { name: `Name of ${code}`, code, ...body }));
}

/** A group of plans created into it, lowest rank first; without plans by default how many. */
export async function createPlanGroup(
  shop: Shop,
  size = 0,
): Promise<Made & { readonly planIds: readonly string[] }> {
  const { id } = await made(shop.rest<Made>('POST', '/plan-groups', { name: shop.next('group') }));
  const planIds: string[] = [];
  for (let count = 0; count < size; count++) planIds.push((await createPlan(shop, { planGroupId: id })).id);
  return { id, planIds };
}

/** A price of 4900 a month by default. */
export const createPrice = (shop: Shop, planId: string, body: Body = {}): Promise<Made> =>
  made(
    shop.rest<Made>('POST', `/plans/${planId}/prices`, { billingInterval: 'monthly', price: 4900, ...body }),
  );

/** A plan with one price. */
export async function createPricedPlan(
  shop: Shop,
  price: Body = {},
): Promise<MadePlan & { readonly priceId: string }> {
  const plan = await createPlan(shop);
  const { id } = await createPrice(shop, plan.id, price);
  return { ...plan, priceId: id };
}

/** Plans of a group in the order of their ranks, the first at 34.00 a month and 336.00 a year, the second at 118.00 and 1180.00; free ones last. */
export type MadeLadder = { readonly lowId: string; readonly highId: string; readonly freeId: string };

export async function createLadder(shop: Shop): Promise<MadeLadder> {
  const { id: planGroupId } = await createPlanGroup(shop);
  const sell = async (monthly: number, yearly: number): Promise<string> => {
    const { id } = await createPlan(shop, { planGroupId });
    await createPrice(shop, id, { price: monthly });
    await createPrice(shop, id, { billingInterval: 'yearly', price: yearly });
    return id;
  };
  const [lowId, highId] = [await sell(3_400, 33_600), await sell(11_800, 118_000)];
  return { lowId, highId, freeId: (await createPlan(shop, { planGroupId, isFree: true })).id };
}

/** A new customer, active on the lower paid plan of a ladder. */
export async function createClimber(shop: Shop, card?: string): Promise<MadeLadder & MadeSubscription> {
  const [ladder, customer] = [await createLadder(shop), await createCustomer(shop)];
  const subscription = await subscribeTo(shop, customer.id, ladder.lowId);
  await pay(shop, subscription.token, card);
  return { ...ladder, ...subscription };
}

/** Attaches a feature to a plan. */
export const attachFeature = (
  shop: Shop,
  planId: string,
  featureId: string,
  body: Body = {},
): Promise<Body> =>
  made(shop.rest('POST', `/plans/${planId}/features`, { featureId, enabled: true, ...body }));

/** A customer, with an address in a country when one is told. */
export function createCustomer(shop: Shop, country?: string): Promise<MadeCustomer> {
  const externalId = shop.next('customer');
  const address =
    country === undefined ? undefined : { line1: '1 Main St', city: 'Town', postalCode: '12345', country };
  return made(
    shop.rest<MadeCustomer>('POST', '/customers', {
      email: `${externalId}@shop.test`,
      externalId,
      fullName: `Name of ${externalId}`,
      address,
    }),
  );
}

/** A credit of 5.00 USD without an end by default. */
export const createCredit = (shop: Shop, customerId: string, body: Body = {}): Promise<Made> =>
  made(
    shop.rest<Made>('POST', `/customers/${customerId}/credits`, {
      amount: 500,
      currency: 'usd',
      reason: 'Sorry.',
      ...body,
    }),
  );

export const createApiKey = (shop: Shop): Promise<Made> =>
  made(shop.rest<Made>('POST', '/api-keys', { name: shop.next('key') }));

/** Puts the shop's organization into the state provisioning leaves, waiting for a human. */
export async function makeClaimable({ t, environmentId }: Shop): Promise<void> {
  const { prisma } = t.app.database;
  const { organizationId } = await prisma.environment.findUniqueOrThrow({ where: { id: environmentId } });
  const now = t.app.wall.now();
  const state = { expiresAt: now, claimedAt: null };
  await prisma.organizationClaim.upsert({
    where: { organizationId },
    create: { organizationId, tokenHash: organizationId, createdAt: now, ...state },
    update: state,
  });
}

/** A new customer's subscription to a new plan, waiting for its payment unless the plan is free. */
export async function createSubscription(shop: Shop, price: Body = {}): Promise<MadeSubscription> {
  const [plan, customer] = [await createPricedPlan(shop, price), await createCustomer(shop)];
  return subscribeTo(shop, customer.id, plan.id);
}

/** A customer's subscription to a plan. */
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

/** The input of checkoutPay. */
export const payment = (token: string | null, number: string = cards.pays): Body => ({
  token,
  card: { number, expMonth: 12, expYear: 2099, cvc: '123' },
});

const payOperation = 'mutation Pay($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';

/** Pays an open checkout as the page does; throws when it is rejected. Answers how it ended. */
export async function pay(shop: Shop, token: string | null, number: string = cards.pays): Promise<string> {
  const { checkoutPay } = await shop.t.graphql<{ checkoutPay: { status: string } }>(
    payOperation,
    { input: { ...payment(token, number), ...(await neededAddress(shop, 'checkout', token)) } },
    { key: null },
  );
  return checkoutPay.status;
}

export type MadePayment = Made & { readonly url: string; readonly token: string };

/** What is asked of a payer: 42.00 US dollars by default. */
export const requested = (body: Body = {}): Body => ({
  amount: 4_200,
  currency: 'usd',
  description: 'Workshop',
  ...body,
});

/** A payment link, without customer by default. */
export async function createPayment(shop: Shop, body: Body = {}): Promise<MadePayment> {
  const link = await made(shop.rest<MadePayment>('POST', '/payments', requested(body)));
  return { ...link, token: link.url.split('/').at(-1) ?? '' };
}

const payLinkOperation =
  'mutation Pay($input: PaymentLinkPayInput!) { paymentLinkPay(input: $input) { status } }';

/** Pays a link as its page does; throws when it is rejected. Answers how it ended. */
export async function payLink(
  shop: Shop,
  token: string,
  more: Body = {},
  number: string = cards.pays,
): Promise<string> {
  const input = { ...payment(token, number), ...(await neededAddress(shop, 'paymentLink', token)), ...more };
  const { paymentLinkPay } = await shop.t.graphql<{ paymentLinkPay: { status: string } }>(
    payLinkOperation,
    { input },
    { key: null },
  );
  return paymentLinkPay.status;
}

/** A customer who has paid a link of 42.00, so that a method is stored; answers its id and that of the payment. */
export async function createPayer(
  shop: Shop,
  number: string = cards.pays,
): Promise<{ customerId: string; paymentId: string }> {
  const { id: customerId } = await createCustomer(shop);
  const { id: paymentId, token } = await createPayment(shop, { customerId });
  await payLink(shop, token, {}, number);
  return { customerId, paymentId };
}

/** A subscription that is paid and active. */
export async function createActiveSubscription(shop: Shop, price: Body = {}): Promise<MadeSubscription> {
  const subscription = await createSubscription(shop, price);
  await pay(shop, subscription.token);
  return subscription;
}

/** Opens a portal session of a customer and answers its token. */
export async function openPortal(shop: Shop, customerId: string): Promise<string> {
  const { portalUrl } = await made(
    shop.rest<{ portalUrl: string }>('POST', '/portal/sessions', { customerId }),
  );
  return portalUrl.split('/').at(-1) ?? '';
}

/** Waits until the clock of the shop's sandbox has no run at work, and answers how the last one ended. */
export async function clockSettled(shop: Shop): Promise<string> {
  const read = () => made(shop.rest<{ latestRun: { status: string } | null }>('GET', '/test-clock'));
  const { latestRun } = await eventually(
    read,
    ({ latestRun: run }) => run?.status !== 'pending' && run?.status !== 'running',
  );
  return latestRun?.status ?? 'none';
}

/** Moves the clock of the shop's sandbox and waits until it stands. */
export async function advanceDays(shop: Shop, days: number): Promise<string> {
  await made(shop.rest('POST', '/test-clock', { advanceDays: days }));
  return clockSettled(shop);
}

/** A subscription whose renewal was declined; the clock of the shop's sandbox moves by a month. */
export async function createPastDueSubscription(shop: Shop): Promise<MadeSubscription> {
  await clockSettled(shop);
  const subscription = await createSubscription(shop);
  await pay(shop, subscription.token, cards.declinesLater);
  await advanceDays(shop, 31);
  return subscription;
}

/** An adjustment of 12.50 that a new customer owes, by default. */
export async function createAdjustment(shop: Shop, body: Body = {}): Promise<Made> {
  const customerId = body['customerId'] ?? (await createCustomer(shop)).id;
  return made(
    shop.rest<Made>('POST', '/invoices', {
      amount: 1_250,
      description: 'Hours of help',
      ...body,
      customerId,
    }),
  );
}

/** The id of the latest invoice of a subscription. */
export async function latestInvoice(shop: Shop, subscriptionId: string): Promise<string> {
  const { data } = await made(
    shop.rest<{ data: readonly Made[] }>('GET', `/invoices?subscriptionId=${subscriptionId}`),
  );
  const [invoice] = data;
  if (invoice === undefined) throw new Error(`${subscriptionId} has no invoice.`);
  return invoice.id;
}

/** The id of the latest attempt to collect the latest invoice of a subscription. */
export async function latestTransaction(shop: Shop, subscriptionId: string): Promise<string> {
  const invoiceId = await latestInvoice(shop, subscriptionId);
  const { data } = await made(
    shop.rest<{ data: readonly (Made & { invoiceId: string | null })[] }>('GET', '/transactions?limit=100'),
  );
  const transaction = data.find((row) => row.invoiceId === invoiceId);
  if (transaction === undefined) throw new Error(`${subscriptionId} was never charged.`);
  return transaction.id;
}

/** A settled charge that is in dispute. */
export async function createDispute(shop: Shop): Promise<Made> {
  const { id, token } = await createSubscription(shop);
  await pay(shop, token, '4000000000000259');
  return { id: await latestTransaction(shop, id) };
}

/** Lets the stored methods of a customer pay from now on. */
export async function mendMethods(shop: Shop, customerId: string): Promise<void> {
  await shop.t.app.database.query(
    `UPDATE "PaymentMethod" SET reference = 'tok_sandbox_pays_4242' WHERE "environmentId" = $1 AND "customerId" = $2`,
    [shop.environmentId, customerId],
  );
}

import { testCard } from '../src/modules/sandbox/example-shop/read-shop.ts';
import type { Client } from './client.ts';

// Plan changes: a group of two weekly plans, and a customer who switches between them.

/** Plans, lowest rank first. Prices are in US cents per week. */
const solo = { code: 'solo', name: 'Studio Solo', price: 2_100, calls: 5_000 };
const crew = { code: 'crew', name: 'Studio Crew', price: 4_900, calls: 100_000 };

const person = { externalId: 'studio-1', fullName: 'Ines Okafor', email: 'ines.okafor@example.com' };

/** Creates the plan group and its plans. */
export async function createGroup(seller: Client): Promise<void> {
  const { id: featureId } = await seller.get<{ id: string }>('/features/api_calls');
  const { id: planGroupId } = await seller.post<{ id: string }>('/plan-groups', { name: 'Studio' });
  for (const { code, name, price, calls } of [solo, crew]) {
    await seller.post('/plans', { code, name, planGroupId });
    await seller.post(`/plans/${code}/prices`, { billingInterval: 'weekly', price });
    await seller.post(`/plans/${code}/features`, { featureId, includedAmount: calls });
  }
}

const payMutation = 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';

/** Subscribes a new customer to the lower plan and pays the first invoice. Returns the subscription ID. */
export async function subscribe(seller: Client, payer: Client): Promise<string> {
  await seller.post('/customers', person);
  const sale = { customerId: person.externalId, planCode: solo.code };
  const { id, checkoutUrl } = await seller.post<{ id: string; checkoutUrl: string }>('/subscriptions', sale);
  await payer.graphql(payMutation, {
    input: { token: checkoutUrl.split('/').at(-1), card: testCard('pays') },
  });
  return id;
}

type Access = { readonly consumption: { readonly includedUnits: number } };

/** Returns the number of calls per week that the customer's plan currently includes. */
export async function includedCalls(seller: Client): Promise<number> {
  const { consumption } = await seller.get<Access>(
    `/feature-access/api_calls?customerId=${person.externalId}`,
  );
  return consumption.includedUnits;
}

const planId = async (seller: Client, code: string): Promise<string> =>
  (await seller.get<{ id: string }>(`/plans/${code}`)).id;

/** Grants the customer the higher plan until `expiresAt` at no additional charge. */
export async function grantHigher(seller: Client, subscriptionId: string, expiresAt: string): Promise<void> {
  const terms = { reason: 'To try it out.', duration: 'until_date', expiresAt };
  await seller.post(`/customers/${person.externalId}/plan-grants`, {
    subscriptionId,
    planId: await planId(seller, crew.code),
    ...terms,
  });
}

/** Result of a plan change. The change is either applied and charged immediately, or scheduled for the end of the period. */
export type Changed = { readonly outcome: 'completed' | 'scheduled' | 'requires_checkout' };

/** Changes the subscription to the higher or the lower plan. */
export const changePlan = async (
  seller: Client,
  subscriptionId: string,
  to: 'higher' | 'lower',
): Promise<Changed> =>
  seller.post<Changed>(`/subscriptions/${subscriptionId}/change-plan`, {
    newPlanId: await planId(seller, (to === 'higher' ? crew : solo).code),
  });

const invoicesQuery = `query ($id: ID!) {
  subscription(id: $id) { invoices(first: 10) { edges { node { total status } } } }
}`;

type Invoices = {
  readonly subscription: { readonly invoices: { readonly edges: readonly { readonly node: Invoice }[] } };
};
type Invoice = { readonly total: number; readonly status: string };

/** Returns the totals of a subscription's paid invoices in US cents, from oldest to newest. */
export async function paidTotals(seller: Client, id: string): Promise<number[]> {
  const { subscription } = await seller.graphql<Invoices>(invoicesQuery, { id });
  const paid = subscription.invoices.edges.filter(({ node }) => node.status === 'paid');
  return paid.map(({ node }) => node.total).toReversed();
}

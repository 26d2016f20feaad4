import { randomUUID } from 'node:crypto';
import { type CommandInput, execute } from '../src/engine/execute.ts';
import { vaultCard } from '../src/providers/sandbox.ts';
import type { Context } from '../src/request/context.ts';
import { addCustomers, card, cards } from '../test/support/billing-world.ts';
import { apiKey, type Child } from './children.ts';

// Creates customers whose subscriptions use a feature. The plan is either a metered plan without a limit, or a credits plan with more
// credits than needed.

/** Sends a POST request with a new idempotency key and returns the response body. Throws if the request fails. */
export async function post<T>({ url }: Child, path: string, body: object): Promise<T> {
  const headers = {
    'x-api-key': apiKey,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok)
    throw new Error(`The product responded with ${response.status} at ${path}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** Plan with one usage feature. */
export type UsagePlan = { readonly planId: string; readonly featureId: string; readonly featureCode: string };

type Made = { readonly id: string };

/** Creates a plan with one usage feature. */
export async function addUsagePlan(
  product: Child,
  code: string,
  plan: object,
  price: object,
  terms: object,
): Promise<UsagePlan> {
  const feature = await post<Made>(product, '/api/v1/features', { name: code, code, type: 'usage' });
  const { id: planId } = await post<Made>(product, '/api/v1/plans', { name: code, code, ...plan });
  await post(product, `/api/v1/plans/${planId}/features`, { featureId: feature.id, enabled: true, ...terms });
  await post(product, `/api/v1/plans/${planId}/prices`, {
    billingInterval: 'monthly',
    price: 4_900,
    ...price,
  });
  return { planId, featureId: feature.id, featureCode: code };
}

/** Sends a PUT request with a new idempotency key. Throws if the request fails. */
export async function put({ url }: Child, path: string, body: object): Promise<void> {
  const headers = {
    'x-api-key': apiKey,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  const response = await fetch(`${url}${path}`, { method: 'PUT', headers, body: JSON.stringify(body) });
  if (!response.ok)
    throw new Error(`The product responded with ${response.status} at ${path}: ${await response.text()}`);
}

/** Creates a metered plan without a usage limit. */
export const addMeteredPlan = (product: Child): Promise<UsagePlan> =>
  addUsagePlan(product, 'calls', {}, {}, { unlimited: true });

/** Creates a credits plan with more credits than any benchmark uses. */
export const addCreditsPlan = (product: Child): Promise<UsagePlan> =>
  addUsagePlan(
    product,
    'tokens',
    { consumptionModel: 'credits' },
    { includedCredits: 1_000_000_000_000 },
    { creditsPerUnit: 7 },
  );

const perBatch = 250;

/** Creates customers with paid, active subscriptions. Bypasses the API by calling the engine. Returns the customer IDs. */
export async function addSubscribers(
  ctx: Context,
  prefix: string,
  count: number,
  planId: string,
): Promise<string[]> {
  const customers = await addCustomers(ctx, prefix, count);
  const create: CommandInput = { kind: 'subscription.create', selection: { planId } };
  const method = vaultCard(card(cards.pays), ctx.wall.now());
  for (let begin = 0; begin < count; begin += perBatch) {
    const part = customers.slice(begin, begin + perBatch);
    const created = await execute(
      ctx,
      part.map((customerId) => ({ customerId, input: create })),
    );
    const paid = await execute(
      ctx,
      part.map((customerId, index) => {
        const outcome = created[index]?.outcome;
        const subscriptionId = outcome?.kind === 'ok' ? outcome.subscriptionId : null;
        return {
          customerId,
          input: { kind: 'checkout.pay', subscriptionId: subscriptionId ?? '', method, abandoned: null },
        };
      }),
    );
    if (paid.some(({ outcome }) => outcome.kind !== 'ok'))
      throw new Error(`A subscription wasn't paid: ${JSON.stringify(paid[0])}`);
  }
  return customers;
}

import { randomUUID } from 'node:crypto';
import { createConsumer } from '../../support/consumers.ts';
import {
  createActiveSubscription,
  createAddon,
  createOffer,
  createPayment,
  createPlanGroup,
  createPromoCode,
  createWebhook,
  openPortal,
  type Shop,
  shopOf,
} from '../../support/factories.ts';
import type { Answer, CallOptions, TestApp } from '../../support/harness.ts';
import type { Pool } from './pool.ts';

// A `Shop` from the test helpers for a server in another process, so the factories can create objects for the fuzzer.

/** Returns a `TestApp` that contains only the server's URL. Functions that need the process itself throw an error. */
function remoteApp(url: string, key: string, signal: AbortSignal): TestApp {
  const call = async <T>(
    path: string,
    init: RequestInit & { headers: Record<string, string> },
    options: CallOptions,
  ): Promise<Answer<T>> => {
    const own = options.key === undefined ? key : options.key;
    const headers = { ...init.headers, ...(own === null ? {} : { 'x-api-key': own }), ...options.headers };
    const response = await fetch(`${url}${path}`, { ...init, headers, signal });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? undefined : JSON.parse(text)) as T,
    };
  };
  const json = { 'content-type': 'application/json' };
  const remote: Pick<TestApp, 'url' | 'rest' | 'graphql'> = {
    url,
    rest: (method, path, body, options = {}) =>
      call(
        `/api/v1${path}`,
        {
          method,
          headers: { 'idempotency-key': randomUUID(), ...(body === undefined ? {} : json) },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        },
        options,
      ),
    graphql: async <T>(query: string, variables = {}, options: CallOptions = {}) => {
      const init = { method: 'POST', headers: json, body: JSON.stringify({ query, variables }) };
      const { body } = await call<{ data?: T; errors?: unknown }>('/graphql', init, options);
      if (body.errors !== undefined || body.data === undefined)
        throw new Error(`GraphQL failed: ${JSON.stringify(body.errors)}`);
      return body.data;
    },
  };
  // The missing properties need the server's process. Using them throws a TypeError, and the fuzzer sends another request instead.
  return remote as TestApp;
}

const kinds: Readonly<Record<string, string>> = { '/addons': 'Addon', '/payments': 'Payment' };

/** Returns the schema type of the objects in a REST list, such as `CreditPack` for `/credit-packs`. */
const typeAt = (path: string): string =>
  kinds[path] ??
  path
    .slice(1)
    .replace(/(?:^|-)(\w)/g, (_dash, notification: string) => notification.toUpperCase())
    .replace(/s$/, '');

/** Opens a shop whose responses are added to the pool. The signal aborts its requests. */
export type OpenShop = (signal: AbortSignal) => Shop;

/** Returns a function that opens shops for a tenant. The shops share their name counters. */
export function remoteShops(url: string, key: string, pool: Pool): OpenShop {
  const { next } = shopOf(remoteApp(url, key, AbortSignal.timeout(0)), key, '');
  return (signal) => {
    const shop = shopOf(remoteApp(url, key, signal), key, '');
    const rest: Shop['rest'] = async (method, path, body, options) => {
      const answer = await shop.rest<never>(method, path, body, options);
      if (answer.status < 300 && /^\/[\w-]+$/.test(path)) pool.learn(typeAt(path), answer.body);
      return answer;
    };
    return { ...shop, next, rest };
  };
}

/** Creates the objects that most operations need: a paying customer, a customer with usage, and catalog objects. Ignores failures. */
export async function createTestData(shop: Shop): Promise<void> {
  const parts: readonly (() => Promise<unknown>)[] = [
    async () => openPortal(shop, (await createActiveSubscription(shop)).customerId),
    () => createConsumer(shop),
    () => createAddon(shop),
    () => createOffer(shop),
    () => createPromoCode(shop),
    () => createPlanGroup(shop),
    () => createPayment(shop),
    () => createWebhook(shop),
  ];
  for (const part of parts) await part().catch(() => undefined);
  for (const path of ['/transactions', '/invoices', '/payments'])
    await shop.rest('GET', path).catch(() => undefined);
}

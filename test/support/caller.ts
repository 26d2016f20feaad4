import { randomUUID } from 'node:crypto';

export type Json = Record<string, unknown>;

/**
 * API client for the product in another process. If `key` is `null`, only operations with a page token can be called. An error response
 * fails the test.
 */
export type Caller = {
  /** Sends a REST request below /api/v1. POST requests have a new Idempotency-Key. */
  readonly rest: <T = Json>(method: string, path: string, body?: unknown) => Promise<T>;
  readonly graphql: <T = Json>(query: string, variables?: Json) => Promise<T>;
};

export function callerOf({ url }: { readonly url: string }, key: string | null): Caller {
  const always = { 'content-type': 'application/json', ...(key === null ? {} : { 'x-api-key': key }) };
  const call = async (
    method: string,
    path: string,
    body: unknown,
    more: Record<string, string> = {},
  ): Promise<Json> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...always, ...more },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Json;
    if (!response.ok || 'errors' in answer) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  return {
    rest: async <T>(method: string, path: string, body?: unknown) => {
      const more = method === 'POST' ? { 'idempotency-key': randomUUID() } : {};
      return (await call(method, `/api/v1${path}`, body, more)) as T;
    },
    graphql: async <T>(query: string, variables: Json = {}) =>
      (await call('POST', '/graphql', { query, variables }))['data'] as T,
  };
}

const card = { expMonth: 12, expYear: 2099, cvc: '123' };

/** Pays a checkout as the hosted page does: with a card number, or with a payment method from the payment provider. */
export function payCheckout(
  child: { readonly url: string },
  checkoutUrl: unknown,
  by: { number: string } | { paymentMethod: string },
) {
  const token = String(checkoutUrl).split('/').at(-1);
  const method = 'number' in by ? { card: { ...card, number: by.number } } : by;
  return callerOf(child, null).graphql<{ checkoutPay: { status: string } }>(
    'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }',
    { input: { token, ...method } },
  );
}

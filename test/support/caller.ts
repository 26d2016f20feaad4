import { randomUUID } from 'node:crypto';

/** An object as JSON tells it. */
export type Json = Record<string, unknown>;

/** Who calls a product in another process with a key, or without one where a token says enough. Whatever is rejected fails the test. */
export type Caller = {
  /** Calls REST below /api/v1; a POST carries a fresh Idempotency-Key. */
  readonly rest: <T = Json>(method: string, path: string, body?: unknown) => Promise<T>;
  /** Runs a GraphQL operation and answers its data. */
  readonly graphql: <T = Json>(query: string, variables?: Json) => Promise<T>;
};

/** A caller of the product at an address. */
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

/** Pays the checkout behind a link, as its page does: by a card of this number, or by a method the page got from a processor. */
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

import { type Answer, type CallOptions, newTenant, type TestApp } from '../harness.ts';

// Creates test data through the REST API as an API client does, and pays through `checkoutPay` as the hosted page does.

export type Body = Record<string, unknown>;

/** A sandbox with an API key. Each shop has its own counters, so the same steps create the same names in two shops. */
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
  /** Returns `<kind><n>`, where n counts from 1 for each kind. */
  readonly next: (kind: string) => string;
};

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

/** Returns the shop of the application's first organization. */
export const firstShop = (t: TestApp): Shop => shopOf(t, t.sandboxKey, t.sandboxId);

const otherKeys = new WeakMap<TestApp, string[]>();

/** Creates an organization and returns its shop. */
export async function otherShop(t: TestApp, name = 'Another organization'): Promise<Shop> {
  const { sandboxKey, sandboxId } = await newTenant(t.app, name);
  otherKeys.getOrInsertComputed(t, () => []).push(sandboxKey);
  return shopOf(t, sandboxKey, sandboxId);
}

/** Returns the API keys of all shops: the shop of the first organization, and the shops that `otherShop` created. */
export const shopKeys = (t: TestApp): readonly string[] => [t.sandboxKey, ...(otherKeys.get(t) ?? [])];

/** Returns a successful response's body. Throws for other responses, because a test can't continue if its setup failed. */
export async function made<T>(call: Promise<Answer<T>>): Promise<T> {
  const { status, body } = await call;
  if (status >= 300) throw new Error(`A fixture was rejected with ${status}: ${JSON.stringify(body)}`);
  return body;
}

export type Made = { readonly id: string };

import { type Answer, type CallOptions, newTenant, type TestApp } from '../harness.ts';

// What tests stand on, made as clients make it: through REST, and checkoutPay where the page pays.

export type Body = Record<string, unknown>;

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
export async function made<T>(call: Promise<Answer<T>>): Promise<T> {
  const { status, body } = await call;
  if (status >= 300) throw new Error(`A fixture was rejected with ${status}: ${JSON.stringify(body)}`);
  return body;
}

export type Made = { readonly id: string };

import { LRUCache } from 'lru-cache';
import Stripe from 'stripe';
import type { Query } from '../platform/db/pool.ts';
import type { Secrets } from '../platform/secrets.ts';

/** How Stripe is reached: `url` differs from Stripe's own address only where tests stand in for it. */
export type StripeSettings = { readonly url: string | undefined; readonly timeoutMs: number };

/** What the gateway of all Stripe connections stands on. */
export type StripeParts = {
  readonly query: Query;
  readonly secrets: Pick<Secrets, 'decrypt'>;
  readonly settings: StripeSettings;
};

/** What Stripe calls a method of ours: the connection it was stored on, the customer there, the method. Only this folder reads references. */
export type StripeMethod = {
  readonly connectionId: string;
  readonly customer: string;
  readonly method: string;
};

const reference = /^(con_[^/]+)\/(cus_[^/]+)\/(pm_[^/]+)$/;

/** The reference under which a method is stored. */
export const referenceOf = ({ connectionId, customer, method }: StripeMethod): string =>
  `${connectionId}/${customer}/${method}`;

/** Reads a reference. Throws for one that was not made here. */
export function readReference(text: string): StripeMethod {
  const [, connectionId, customer, method] = reference.exec(text) ?? [];
  if (connectionId === undefined || customer === undefined || method === undefined)
    throw new Error('This is no method of a Stripe connection.');
  return { connectionId, customer, method };
}

const clients = new LRUCache<string, Stripe>({ max: 1_000 });

/** A client that speaks with a key. Requests are repeated once when a connection breaks, under the same idempotency key. */
export function stripeClient(secretKey: string, { url, timeoutMs }: StripeSettings): Stripe {
  const name = `${secretKey} ${url ?? ''} ${timeoutMs}`;
  const known = clients.get(name);
  if (known !== undefined) return known;
  const place = url === undefined ? null : new URL(url);
  const protocol = place?.protocol === 'http:' ? 'http' : 'https';
  const address = place === null ? {} : ({ host: place.hostname, port: place.port, protocol } as const);
  const client = new Stripe(secretKey, {
    ...address,
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
  });
  clients.set(name, client);
  return client;
}

/** Whether a key charges live cards; null for what is no secret key of Stripe. */
export function modeOfKey(key: string): 'live' | 'test' | null {
  const [, mode] = /^(?:sk|rk)_(live|test)_[A-Za-z0-9_]+$/.exec(key) ?? [];
  return mode === 'live' || mode === 'test' ? mode : null;
}

/** Whether a publishable key is for live cards; null for what is none. */
export function modeOfPublishableKey(key: string): 'live' | 'test' | null {
  const [, mode] = /^pk_(live|test)_[A-Za-z0-9_]+$/.exec(key) ?? [];
  return mode === 'live' || mode === 'test' ? mode : null;
}

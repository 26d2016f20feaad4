import { LRUCache } from 'lru-cache';
import Stripe from 'stripe';
import type { Query } from '../platform/db/pool.ts';
import type { Secrets } from '../platform/secrets.ts';

/** Settings for requests to Stripe. Tests replace `url`. */
export type StripeSettings = { readonly url: string | undefined; readonly timeoutMs: number };

export type StripeParts = {
  readonly query: Query;
  readonly secrets: Pick<Secrets, 'decrypt'>;
  readonly settings: StripeSettings;
};

/** Payment method on a connected Stripe account. Only the modules in this folder parse its reference. */
export type StripeMethod = {
  readonly connectionId: string;
  readonly customer: string;
  readonly method: string;
};

const reference = /^(con_[^/]+)\/(cus_[^/]+)\/(pm_[^/]+)$/;

/** Returns the stored form of a payment method reference. */
export const referenceOf = ({ connectionId, customer, method }: StripeMethod): string =>
  `${connectionId}/${customer}/${method}`;

/** Parses a payment method reference. Throws if the format is invalid. */
export function readReference(text: string): StripeMethod {
  const [, connectionId, customer, method] = reference.exec(text) ?? [];
  if (connectionId === undefined || customer === undefined || method === undefined)
    throw new Error('Not a payment method reference of a Stripe connection.');
  return { connectionId, customer, method };
}

const clients = new LRUCache<string, Stripe>({ max: 1_000 });

/** Returns a Stripe client for a secret key. After a connection error, requests are retried once with the same idempotency key. */
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

/** Returns the mode of a Stripe secret key. `null` if the string isn't a secret key. */
export function modeOfKey(key: string): 'live' | 'test' | null {
  const [, mode] = /^(?:sk|rk)_(live|test)_[A-Za-z0-9_]+$/.exec(key) ?? [];
  return mode === 'live' || mode === 'test' ? mode : null;
}

/** Returns the mode of a Stripe publishable key. `null` if the string isn't a publishable key. */
export function modeOfPublishableKey(key: string): 'live' | 'test' | null {
  const [, mode] = /^pk_(live|test)_[A-Za-z0-9_]+$/.exec(key) ?? [];
  return mode === 'live' || mode === 'test' ? mode : null;
}

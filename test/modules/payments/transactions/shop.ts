import { expect } from 'vitest';
import {
  advanceDays,
  createSubscription,
  type MadeSubscription,
  pay,
  type Shop,
} from '../../../support/factories.ts';
import type { Answer } from '../../../support/harness.ts';

/** Response fields that the transaction tests check. */
export type Body = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly status: string;
  readonly error?: { readonly code: string; readonly param?: string; readonly details?: unknown };
};

/** Requests a full refund over REST. */
export const refund = (shop: Shop, id: string, options = {}): Promise<Answer<Body>> =>
  shop.rest<Body>('POST', `/transactions/${id}/refund`, undefined, options);

/** Requests a retry of a failed payment. */
export const retry = (shop: Shop, id: string): Promise<Answer<Body>> =>
  shop.rest<Body>('POST', `/transactions/${id}/retry`);

/** Fetches a resource over REST. */
export const shown = async (shop: Shop, path: string): Promise<Body> =>
  (await shop.rest<Body>('GET', path)).body;

/** Returns the position of the environment's last event. */
export async function position(shop: Shop): Promise<number> {
  const [row] = await shop.t.app.database.query<{ last: number }>(
    'SELECT coalesce(max(position), 0)::int AS last FROM "Event" WHERE "environmentId" = $1',
    [shop.environmentId],
  );
  return row?.last ?? 0;
}

/** Returns the types of the events after a position, in order. */
export async function kindsSince(shop: Shop, after: number): Promise<string[]> {
  const rows = await shop.t.app.database.query<{ kind: string }>(
    'SELECT kind FROM "Event" WHERE "environmentId" = $1 AND position > $2 ORDER BY position',
    [shop.environmentId, after],
  );
  return rows.map(({ kind }) => kind);
}

/** Asserts that the ledger matches the documents. */
export async function expectLedgerWhole(shop: Shop): Promise<void> {
  const { ledgerVerify } = await shop.t.graphql(
    '{ ledgerVerify { ok mismatches { account expected actual } } }',
    {},
    { key: shop.key },
  );
  expect(ledgerVerify).toEqual({ ok: true, mismatches: [] });
}

/** Creates a subscription whose first charge after the trial was declined. The subscription is past due, and all of its retries remain. */
export async function pastDueAfterTrial(shop: Shop): Promise<MadeSubscription> {
  const subscription = await createSubscription(shop, { trialDays: 1 });
  await pay(shop, subscription.token, '4000000000000341');
  await advanceDays(shop, 1);
  return subscription;
}

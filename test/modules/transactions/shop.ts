import { expect } from 'vitest';
import {
  advanceDays,
  createSubscription,
  type MadeSubscription,
  pay,
  type Shop,
} from '../../support/factories.ts';
import type { Answer } from '../../support/harness.ts';

/** What these tests look at in an answer. */
export type Body = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly status: string;
  readonly error?: { readonly code: string; readonly param?: string; readonly details?: unknown };
};

/** Asks for a full refund as REST does. */
export const refund = (shop: Shop, id: string, options = {}): Promise<Answer<Body>> =>
  shop.rest<Body>('POST', `/transactions/${id}/refund`, undefined, options);

/** Asks to try a failed attempt again. */
export const retry = (shop: Shop, id: string): Promise<Answer<Body>> =>
  shop.rest<Body>('POST', `/transactions/${id}/retry`);

/** A resource as REST shows it. */
export const shown = async (shop: Shop, path: string): Promise<Body> =>
  (await shop.rest<Body>('GET', path)).body;

/** The position of the environment's last event. */
export async function position(shop: Shop): Promise<number> {
  const [row] = await shop.t.app.database.query<{ last: number }>(
    'SELECT coalesce(max(position), 0)::int AS last FROM "Event" WHERE "environmentId" = $1',
    [shop.environmentId],
  );
  return row?.last ?? 0;
}

/** Kinds of the events after a position, in order. */
export async function kindsSince(shop: Shop, after: number): Promise<string[]> {
  const rows = await shop.t.app.database.query<{ kind: string }>(
    'SELECT kind FROM "Event" WHERE "environmentId" = $1 AND position > $2 ORDER BY position',
    [shop.environmentId, after],
  );
  return rows.map(({ kind }) => kind);
}

/** Asserts that the ledger agrees with the documents. */
export async function expectLedgerWhole(shop: Shop): Promise<void> {
  const { ledgerVerify } = await shop.t.graphql(
    '{ ledgerVerify { ok mismatches { account expected actual } } }',
    {},
    { key: shop.key },
  );
  expect(ledgerVerify).toEqual({ ok: true, mismatches: [] });
}

/** A subscription that has just become past due over the first charge after its trial: no slot is used up. */
export async function pastDueAfterTrial(shop: Shop): Promise<MadeSubscription> {
  const subscription = await createSubscription(shop, { trialDays: 1 });
  await pay(shop, subscription.token, '4000000000000341');
  await advanceDays(shop, 1);
  return subscription;
}

import type { CreditPackRow } from '../../domain/pricing/catalog.ts';
import type { AutoTopUpAttemptRow, AutoTopUpRow } from '../../domain/rows/topup-rows.ts';
import type { ConsumptionAccountRow } from '../../domain/rows/usage-rows.ts';
import { addDays } from '../../domain/time/period.ts';
import { columnList } from '../../platform/db/bulk.ts';
import type { LoadBatch } from './batch.ts';
import { loadCreditPacks } from './catalog.ts';

/** Number of days whose attempts are loaded. Longer than any calendar month. */
export const attemptDays = 33;

/** Returns true if an account is topped up automatically. */
export const hasTopUp = ({ pools }: Pick<ConsumptionAccountRow, 'pools'>): boolean =>
  Object.values(pools).some(({ topUp }) => topUp !== undefined);

/**
 * Loads the automatic top-ups of customers with a marked account, and of referenced subscriptions. Executes no SQL statement
 * if no account is topped up.
 */
export async function loadTopUps(batch: LoadBatch): Promise<AutoTopUpRow[]> {
  const marked = (await batch.get('accounts')).filter(hasTopUp).map(({ customerId }) => customerId);
  const named = new Set(batch.named.topUps);
  const referenced =
    named.size === 0
      ? []
      : (await batch.get('subscriptions'))
          .filter(({ id }) => named.has(id))
          .map(({ customerId }) => customerId);
  const customerIds = [...new Set([...marked, ...referenced])];
  if (customerIds.length === 0) return [];
  return batch.ctx.sql<AutoTopUpRow>(
    `SELECT ${columnList('AutoTopUp', 't')} FROM "AutoTopUp" t WHERE t."environmentId" = $1 AND t."customerId" = ANY($2) ORDER BY t.seq`,
    [customerIds],
  );
}

/**
 * Loads the purchases of automatic top-ups that count toward the limits of the current month, or whose result isn't known.
 * Executes no SQL statement if there are no top-ups.
 */
export async function loadTopUpAttempts(batch: LoadBatch): Promise<AutoTopUpAttemptRow[]> {
  const ids = (await batch.get('topUps')).map(({ id }) => id);
  if (ids.length === 0) return [];
  return batch.ctx.sql<AutoTopUpAttemptRow>(
    `SELECT ${columnList('AutoTopUpAttempt', 't')} FROM unnest($2::text[]) AS k(id) CROSS JOIN LATERAL (
       SELECT * FROM "AutoTopUpAttempt" a WHERE a."environmentId" = $1 AND a."autoTopUpId" = k.id
         AND (a.status = 'processing' OR (a.status = 'succeeded' AND a."createdAt" >= $3)) OFFSET 0) t ORDER BY t.seq`,
    [ids, addDays(batch.ctx.clock.now(), -attemptDays)],
  );
}

/** Loads the referenced credit packs, and the packs that automatic top-ups buy. */
export async function loadNamedPacks(batch: LoadBatch): Promise<CreditPackRow[]> {
  const refills = (await batch.get('topUps')).flatMap(({ status, refill }) =>
    status !== 'off' && 'creditPackId' in refill ? [refill.creditPackId] : [],
  );
  return loadCreditPacks(batch.ctx, [...new Set([...batch.named.creditPacks, ...refills])]);
}

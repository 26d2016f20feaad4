import { systemContext } from '../src/request/context.ts';
import { apiKey, startProduct } from './children.ts';
import { addSubscribers, addUsagePlan } from './consumers.ts';
import { createDatabase, dropDatabase } from './database.ts';
import { compared, recorded } from './limits.ts';
import type { Call } from './load.ts';
import type { PriceRates } from './prices.ts';
import { freshId } from './usage.ts';
import { closeWorld, openWorld, sandboxOf } from './world.ts';

// Measures holds and their settlements, compared with usage events of the same server (LIM-95).

const customers = 1_000;
const connections = 64;
const batchConnections = 4;
const pairs = 100;

/** Number of holds between the opening of a hold and its settlement. Larger than the number of connections, so that the hold is open. */
const delay = 256;

const sold = { includedAmount: 0, overage: { enabled: true, unitPrice: 100 } };

const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };

/** Returns requests that open holds and settle earlier holds, in turns. */
function holdThenSettle(next: () => object): Call {
  const open: string[] = [];
  let turn = 0;
  return {
    path: '/api/v1/usage/holds',
    method: 'POST',
    headers,
    vary: () => {
      turn += 1;
      const settled = turn % 2 === 0 && open.length > delay ? open.shift() : undefined;
      if (settled !== undefined)
        return {
          path: `/api/v1/usage/holds/${settled}/settle`,
          headers: { ...headers, 'idempotency-key': freshId() },
          body: JSON.stringify({ value: 3 }),
        };
      const holdId = freshId();
      open.push(holdId);
      return {
        path: '/api/v1/usage/holds',
        headers: { ...headers, 'idempotency-key': freshId() },
        body: JSON.stringify({ ...next(), estimate: { value: 5 }, holdId }),
      };
    },
  };
}

/** Measures holds and settlements, one per request and as pairs in batches. */
export async function measureHolds(rounds: number, seconds: number): Promise<readonly PriceRates[]> {
  const databaseUrl = await createDatabase();
  await closeWorld(await openWorld(databaseUrl));
  const product = await startProduct(databaseUrl);
  try {
    const { planId, featureCode } = await addUsagePlan(product, 'held', {}, {}, sold);
    const app = await openWorld(databaseUrl);
    const ctx = await systemContext(app, await sandboxOf(databaseUrl));
    await app.database.script('UPDATE "Organization" SET "customerEmails" = false');
    const ids = await addSubscribers(ctx, 'h', customers, planId);
    await app.database.script('VACUUM ANALYZE');
    await closeWorld(app);
    let sent = 0;
    const next = () => ({ customerId: ids[++sent % ids.length], featureCode });
    const events = recorded('/api/v1/usage/events', () => ({ ...next(), eventId: freshId() }));
    const pairsCall = recorded('/api/v1/usage/batch', () => ({
      items: Array.from({ length: pairs }, () => {
        const holdId = freshId();
        return [
          { hold: { ...next(), estimate: { value: 5 }, holdId } },
          { settle: { hold: holdId, value: 3 } },
        ];
      }).flat(),
    }));
    const batches = recorded('/api/v1/usage/events/batch', () => ({
      events: Array.from({ length: pairs }, () => ({ ...next(), eventId: freshId() })),
    }));
    const worlds = [{ product }, { product }] as const;
    const options = { rounds: rounds * 2, seconds };
    return [
      await compared('holds and settlements, one per request', 0.85, worlds, [holdThenSettle(next), events], {
        ...options,
        sockets: connections,
      }),
      await compared('holds and settlements as pairs in batches of 100', 0.5, worlds, [pairsCall, batches], {
        ...options,
        sockets: batchConnections,
        events: pairs,
      }),
    ];
  } finally {
    await product.stop();
    await dropDatabase(databaseUrl);
  }
}

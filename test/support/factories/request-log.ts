import { shapeRequest } from '../../../src/request/log/shape-record.ts';
import { writeRequests } from '../../../src/request/log/store.ts';
import type { Shop } from './shop.ts';

/** Records a request of the shop's own API key: a list of plans. Returns the request ID. */
export async function createRequestRecord(shop: Shop): Promise<{ readonly id: string }> {
  const { app } = shop.t;
  const id = crypto.randomUUID();
  const [key] = await app.database.query<{ id: string }>(
    'SELECT k.id FROM "ApiKey" k WHERE k."environmentId" = $1 ORDER BY k.seq LIMIT 1',
    [shop.environmentId],
  );
  const shaped = shapeRequest(
    {
      environmentId: shop.environmentId,
      isLive: false,
      caller: { kind: 'key', id: key?.id ?? '' },
      apiVersion: '2026-08-27',
      request: {
        id,
        method: 'GET',
        address: '/api/v1/plans?limit=2',
        remoteAddress: '203.0.113.9',
        idempotencyKey: null,
        userAgent: 'test',
      },
      transport: 'rest',
      route: '/api/v1/plans',
      status: 200,
      response: null,
      responseBytes: 11,
      isDryRun: false,
      milliseconds: 12,
      describe: () => ({ operation: 'plans' }),
    },
    app.wall.now(),
    false,
  );
  await writeRequests(app.database, shop.environmentId, [shaped]);
  return { id };
}

import { eventually } from '../eventually.ts';
import type { Made, Shop } from '../factories.ts';
import { reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

/** Creates an export with one customer column and waits until it's complete. Returns its ID. */
async function createExport(shop: Shop): Promise<string> {
  const sent = { kind: 'customers', format: 'ndjson', columns: ['id'] };
  const { body } = await shop.rest<Made>('POST', '/exports', sent);
  await eventually(async () => {
    const { body: row } = await shop.rest<{ status: string }>('GET', `/exports/${body.id}`);
    return row.status === 'completed';
  });
  return body.id;
}

/** Creates a schedule that is due at the next midnight. Returns its ID. */
async function createSchedule(shop: Shop): Promise<string> {
  const sent = { kind: 'customers', format: 'csv', frequency: 'monthly' };
  return (await shop.rest<Made>('POST', '/export-schedules', sent)).body.id;
}

export const operations: ModuleOperations = {
  requests: {
    'GET /exports': async (shop) => {
      await createExport(shop);
      return {};
    },
    'POST /exports': async () => ({
      body: { kind: 'customers', format: 'csv', columns: ['id', 'email'] },
    }),
    'GET /exports/{id}': async (shop) => ({ path: { id: await createExport(shop) } }),
    'GET /export-schedules': async (shop) => {
      await createSchedule(shop);
      return {};
    },
    'POST /export-schedules': async () => ({
      body: { kind: 'customers', format: 'csv', frequency: 'daily', isIncremental: true },
    }),
    'PATCH /export-schedules/{id}': async (shop) => ({
      path: { id: await createSchedule(shop) },
      body: { isActive: false },
    }),
    'DELETE /export-schedules/{id}': async (shop) => ({ path: { id: await createSchedule(shop) } }),
    'POST /exports/{id}/cancel': async (shop) => ({ path: { id: await createExport(shop) } }),
  },
  unrouted: {
    exportColumns: {
      because: reasons.more,
      text: '{ exportColumns(kind: invoices) }',
      variables: async () => ({}),
    },
    exportProgress: {
      because: reasons.live,
      text: 'subscription ($id: ID!) { exportProgress(id: $id) { id status rows progress } }',
      variables: async (shop) => ({ id: await createExport(shop) }),
    },
  },
};

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Agent, Approvals } from '../../../support/approvals.ts';
import {
  createActiveSubscription,
  firstShop,
  latestTransaction,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Approved calls that Quittance makes: their entries in the request log, and the rate limit of their API key (AGT-75).

const perMinute = 40;
let t: TestApp;
let shop: Shop;
let approvals: Approvals;
beforeAll(async () => {
  t = await startApp({
    env: {
      RATE_LIMIT_PER_MINUTE: String(perMinute),
      REQUEST_LOG_DAYS: '7',
      REQUEST_LOG_PER_MINUTE: '1000',
    },
  });
  shop = firstShop(t);
  approvals = await Approvals.open(shop);
});
afterAll(() => t.close());

/** Requests the approval of a refund. */
async function ask() {
  const { id } = await createActiveSubscription(shop, { price: 6_000 });
  const transaction = await latestTransaction(shop, id);
  const agent = await approvals.agent({ approveAbove: 5_000 });
  const address = `/transactions/${transaction}/refund`;
  return { agent, address, transaction, approvalId: await approvals.ask(agent, ['POST', address]) };
}

const entries = async ({ id }: Agent) => {
  await t.app.requestLog.flush();
  const { requestLog } = await t.graphql<{ requestLog: { nodes: Record<string, unknown>[] } }>(
    `query ($callerId: ID!) { requestLog(first: 10, callerId: $callerId) { nodes {
      id transport method route operation status code callerKind address ipAddress responseBody
    } } }`,
    { callerId: id },
    approvals.as(approvals.admin),
  );
  return requestLog.nodes.filter(({ transport }) => transport === 'approval');
};

const remaining = async ({ key }: Agent): Promise<number> => {
  const response = await fetch(`${t.url}/api/v1/customers?limit=1`, { headers: { 'x-api-key': key } });
  return Number(response.headers.get('ratelimit-remaining'));
};

describe('an approved call that Quittance makes', () => {
  it('has an entry in the request log, with the request of its events', async () => {
    const { agent, address, approvalId } = await ask();
    const { result } = await approvals.run(approvalId);
    const [entry, ...others] = await entries(agent);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      transport: 'approval',
      method: 'POST',
      route: '/api/v1/transactions/{id}/refund',
      operation: 'transactionRefund',
      status: 200,
      code: null,
      callerKind: 'key',
      address: `/api/v1${address}`,
      ipAddress: null,
    });
    expect(JSON.parse(String(entry?.['responseBody']))).toMatchObject({
      object: 'refund',
      id: result?.['id'],
    });
    const events = await t.app.database.query<{ requestId: string; kind: string }>(
      `SELECT "requestId", kind FROM "Event" WHERE "environmentId" = $1 AND kind = 'payment.refunded' AND "actorId" = $2`,
      [t.sandboxId, agent.id],
    );
    expect(events.map(({ requestId }) => requestId)).toEqual([entry?.['id']]);
    // The repeated decision makes no call.
    await approvals.run(approvalId);
    expect((await entries(agent)).length).toBe(1);
  });

  it('is recorded with its error if it changes nothing', async () => {
    const { agent, approvalId } = await ask();
    await approvals.setPolicy(agent, { approveAbove: 5_000, operations: { deny: ['transactionRefund'] } });
    expect(await approvals.refusal(approvalId)).toMatchObject({ code: 'forbidden' });
    expect(await entries(agent)).toMatchObject([{ status: 403, code: 'forbidden' }]);
    expect(await approvals.read(approvalId)).toMatchObject({ status: 'pending', ranAt: null });
  });

  it("counts toward the key's rate limit, and isn't made above the limit", async () => {
    const { agent, approvalId, transaction } = await ask();
    const before = await remaining(agent);
    await approvals.run(approvalId);
    // The second of the two requests is the approved call.
    expect(await remaining(agent)).toBe(before - 2);
    expect(transaction).not.toBe('');

    const next = await ask();
    while ((await remaining(next.agent)) > 0);
    expect(await approvals.refusal(next.approvalId)).toMatchObject({ code: 'rate_limited' });
    expect(await approvals.read(next.approvalId)).toMatchObject({ status: 'pending', ranAt: null });
    const refunds = await t.app.database.query(
      'SELECT 1 FROM "Refund" WHERE "environmentId" = $1 AND "transactionId" = $2',
      [t.sandboxId, next.transaction],
    );
    expect(refunds).toEqual([]);
    expect(await entries(next.agent)).toEqual([]);
  });
});

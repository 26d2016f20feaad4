import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Quittance } from '../../src/packages/sdk/index.ts';
import { createActiveSubscription, firstShop, latestTransaction, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { memberOf } from '../support/people.ts';
import { root } from '../support/server-source.ts';

// The example agent runs in its own process with a key whose policy requires approvals above $50.00.

let t: TestApp;
let shop: Shop;
let q: Quittance;
let agentKey: string;
let asMember: { readonly key: null; readonly headers: Record<string, string> };
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  q = new Quittance({ baseUrl: t.url, apiKey: shop.key });
  const { headers } = await memberOf(t, t.organizationId, 'admin');
  asMember = {
    key: null,
    headers: { ...headers, 'x-organization': t.organizationId, 'x-environment': 'sandbox' },
  };
  const { id, apiKey } = await q.apiKeys.create({ name: 'Agent' });
  agentKey = apiKey ?? '';
  const policy = { maxAmountPerCall: 10_000, approveAbove: 5_000 };
  expect((await t.rest('PUT', `/api-keys/${id}/policy`, policy, asMember)).status).toBe(200);
});
afterAll(() => t.close());

const paid = async (price: number): Promise<string> =>
  latestTransaction(shop, (await createActiveSubscription(shop, { price })).id);

/** Starts the agent. Returns its exit code and its lines of output. */
async function run(transaction: string): Promise<readonly [number | null, string[]]> {
  const child = spawn(process.execPath, ['--no-warnings', path.join(root, 'examples/agent/agent.ts')], {
    env: { ...process.env, QUITTANCE_URL: t.url, QUITTANCE_API_KEY: agentKey, TRANSACTION_ID: transaction },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const output = await text(child.stdout);
  return [await ended, output.trim().split('\n')];
}

/** Decides the next requested approval. */
async function decide(decision: 'approve' | 'reject'): Promise<void> {
  const pending = async () => (await q.approvals.list()).data.find(({ status }) => status === 'pending');
  await expect.poll(async () => (await pending())?.operation).toBe('transactionRefund');
  await t.graphql(
    `mutation ($id: ID!) { approvalDecide(input: { id: $id, decision: ${decision} }) { id } }`,
    { id: (await pending())?.id },
    asMember,
  );
}

test('the agent refunds a small payment without an approval', async () => {
  const transaction = await paid(4_000);
  expect(await run(transaction)).toEqual([0, ['The plan support is on sale.', 'The payment is refunded.']]);
  expect((await q.transactions.get(transaction)).status).toBe('refunded');
});

test('the agent waits for the approval of a large refund, and continues', async () => {
  const transaction = await paid(6_000);
  const [[code, lines]] = await Promise.all([run(transaction), decide('approve')]);
  expect([code, lines.at(-1)]).toEqual([0, 'The payment is refunded with the approval.']);
  expect((await q.transactions.get(transaction)).status).toBe('refunded');
  const plans = await q.plans.get('support');
  expect(plans.prices).toHaveLength(1);
});

test('the agent stops if the approval is rejected', async () => {
  const transaction = await paid(6_000);
  const [[code, lines]] = await Promise.all([run(transaction), decide('reject')]);
  expect([code, lines.at(-1)]).toEqual([0, 'The approval is rejected.']);
  expect((await q.transactions.get(transaction)).status).toBe('succeeded');
});

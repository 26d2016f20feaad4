import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemContext } from '../../src/context.ts';
import { parseConfig } from '../../src/infra/config.ts';
import { openDatabase } from '../../src/infra/db.ts';
import { wakeEnvironment } from '../../src/infra/lease.ts';
import { start } from '../../src/start.ts';
import type { BankScript } from '../support/bank.ts';
import { type Child, startChild } from '../support/child.ts';
import { newTenant } from '../support/harness.ts';
import { openPayouts } from '../support/payouts.ts';
import { openProcessor, type Processor } from '../support/processor.ts';
import { childStorage } from '../support/storage.ts';

// A process that ends while the rail is being asked for a payout (PAY-37): whether the rail had taken it in by then or not, it is made once.

const cleanups: (() => Promise<void>)[] = [];
let processor: Processor;
beforeAll(async () => {
  processor = await openProcessor();
});
afterAll(async () => {
  for (const cleanup of cleanups) await cleanup();
  await processor.close();
});

type Json = Record<string, unknown>;

async function call(child: Child, key: string, route: string, body: unknown): Promise<Json> {
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  const response = await fetch(`${child.url}${route}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = (await response.json()) as Json;
  if (!response.ok || 'errors' in answer) throw new Error(`${route}: ${JSON.stringify(answer)}`);
  return answer;
}

const state = '{ payouts { edges { node { status } } } payoutBalance { available inTransit } ledgerVerify { ok } }';

test.each<[string, BankScript, string, readonly string[], Json]>([
  ['after the rail had taken it in', 'accepts and hangs', 'paid', ['PUT', 'GET'], { available: 3_000, inTransit: 0 }],
  ['before the rail did anything', 'hangs', 'pending', ['PUT', 'GET', 'PUT'], { available: 3_000, inTransit: 2_000 }],
])(
  'a process killed while the rail is asked, %s, has the payout made once',
  { timeout: 180_000 },
  async (_when, script, status, asked, balance) => {
    const { env, remove } = await childStorage({
      WORKER_POLL_MS: '50',
      LOG_LEVEL: 'silent',
      APP_SECRET: 'a secret of the kill test that is long enough',
      RAIL_URL: processor.url,
      PORT: '0',
    });
    cleanups.push(remove);
    const first = await start(parseConfig(env));
    const { liveKey: key, liveId } = await newTenant(first.app, 'Live');
    await openPayouts(await systemContext(first.app, liveId), 5_000n);
    await first.close();

    processor.bank.plays(script);
    let child = await startChild(env);
    const calls = processor.calls.length;
    const { id } = await call(child, key, '/api/v1/payouts', { amount: 2_000 });
    await processor.received(calls + 1);
    await child.kill();

    // The bank goes on meanwhile, and the minute until the first inquiry passes.
    processor.bank.plays('accepts');
    if (processor.bank.made.has(String(id))) processor.bank.decides(String(id), { status: 'paid' });
    const between = await openDatabase(parseConfig(env));
    const put = `UPDATE "RailRequest" SET "askAt" = "createdAt" WHERE "environmentId" = $1 AND id = $2 AND asks = 1 AND result IS NULL RETURNING id`;
    expect(await between.query(put, [liveId, id])).toEqual([{ id }]);
    await wakeEnvironment(between.query, liveId, new Date(0));
    await between.close();

    child = await startChild(env);
    await processor.received(calls + asked.length);
    for (;;) {
      const { data } = (await call(child, key, '/graphql', { query: state })) as { data: { payouts: { edges: { node: Json }[] } } & Json };
      if (data.payouts.edges[0]?.node['status'] !== status) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        continue;
      }
      expect(data).toEqual({ payouts: { edges: [{ node: { status } }] }, payoutBalance: balance, ledgerVerify: { ok: true } });
      break;
    }
    expect(processor.calls.slice(calls)).toEqual(asked.map((method) => `${method} ${String(id)}`));
    expect(await child.stop()).toBe(0);
  },
);

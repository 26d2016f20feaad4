import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Quittance } from '../../src/packages/sdk/index.ts';
import { compiledPackage, projectWith, root } from '../packages/sdk/support/compiled.ts';
import { createConsumer } from '../support/consumers.ts';
import { firstShop } from '../support/factories.ts';
import { freePort } from '../support/free-port.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// The example gateway runs in its own process with the compiled client, against the service and a local model that counts its calls.

let t: TestApp;
let q: Quittance;
let model: Server;
let calls = 0;
let gateway: ChildProcess | undefined;
let origin: string;
let customerId: string;
let featureCode: string;

const usage = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 };

beforeAll(async () => {
  t = await startApp();
  q = new Quittance({ baseUrl: t.url, apiKey: t.sandboxKey });
  model = createServer(async (request, response) => {
    const { stream } = JSON.parse(await text(request)) as { stream?: boolean };
    calls += 1;
    const common = { id: 'chat-1', created: 1, model: 'local' };
    if (stream !== true) {
      const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello' } }];
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...common, object: 'chat.completion', choices, usage }));
      return;
    }
    response.setHeader('content-type', 'text/event-stream');
    const chunk = { ...common, object: 'chat.completion.chunk' };
    for (const part of [
      { ...chunk, choices: [{ index: 0, delta: { content: 'Hel' } }] },
      { ...chunk, choices: [{ index: 0, delta: { content: 'lo' }, finish_reason: 'stop' }] },
      { ...chunk, choices: [], usage },
    ])
      response.write(`data: ${JSON.stringify(part)}\n\n`);
    response.end('data: [DONE]\n\n');
  });
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
  const consumer = await createConsumer(firstShop(t), { terms: { includedAmount: 1_000_000 } });
  customerId = consumer.customerId;
  featureCode = consumer.feature.code;
  for (const [team, amount] of [
    ['red', 200],
    ['blue', 1_000],
  ] as const) {
    await q.customers.budgetCreate(customerId, { key: `team:${team}` });
    await q.limits.create({
      scope: { customer: customerId, budget: `team:${team}` },
      measure: 'units',
      filter: { features: [featureCode] },
      window: { kind: 'month' },
      amount,
    });
  }
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  const source = (name: string): string => readFileSync(path.join(root, 'examples/gateway', name), 'utf8');
  const files = { 'app.ts': source('app.ts'), 'server.ts': source('server.ts') };
  const project = projectWith('gateway', await compiledPackage('gateway-sdk'), files);
  gateway = spawn(process.execPath, ['--no-warnings', path.join(project, 'server.ts')], {
    env: {
      ...process.env,
      QUITTANCE_URL: t.url,
      QUITTANCE_API_KEY: t.sandboxKey,
      CUSTOMER_ID: customerId,
      FEATURE_CODE: featureCode,
      MODEL_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`,
      MODEL_API_KEY: 'none',
      PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await new Promise((resolve) => gateway?.stdout?.once('data', resolve));
});
afterAll(async () => {
  gateway?.kill();
  await new Promise((resolve) => model.close(resolve));
  await t.close();
});

const ask = (team: string | null, body: object = {}) =>
  fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(team === null ? {} : { 'x-team': team }) },
    body: JSON.stringify({
      model: 'local',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Hi' }],
      ...body,
    }),
  });

/** Returns the tokens that a team has used. */
async function used(team: string): Promise<number> {
  const query = `query ($customerId: String) { usageEvents(customerId: $customerId, first: 100) { nodes { value budgetKey } } }`;
  const { usageEvents } = await q.graphql<{
    usageEvents: { nodes: { value: number; budgetKey: string | null }[] };
  }>(query, { customerId });
  return usageEvents.nodes
    .filter(({ budgetKey }) => budgetKey === `team:${team}`)
    .reduce((sum, { value }) => sum + value, 0);
}

test('the gateway counts the reported tokens of calls and streams for the team', async () => {
  const plain = await ask('blue');
  expect([plain.status, await plain.json()]).toMatchObject([
    200,
    { choices: [{ message: { content: 'Hello' } }], usage },
  ]);
  const streamed = await ask('blue', { stream: true });
  const received = await streamed.text();
  expect(received).toContain('"content":"Hel"');
  expect(received.endsWith('data: [DONE]\n\n')).toBe(true);
  await expect.poll(() => used('blue')).toBe(60);
});

test('the gateway rejects calls that exceed the budget, before it calls the model', async () => {
  const before = calls;
  const statuses: number[] = [];
  for (let sent = 0; sent < 8; sent++) {
    const response = await ask('red');
    statuses.push(response.status);
    await response.text();
  }
  const accepted = statuses.filter((status) => status === 200).length;
  expect(statuses).toEqual([...Array(accepted).fill(200), ...Array(8 - accepted).fill(402)]);
  expect(accepted).toBeGreaterThan(0);
  expect(accepted).toBeLessThan(8);
  expect(calls - before).toBe(accepted);
  await expect.poll(() => used('red')).toBe(accepted * 30);
  expect((await ask('blue')).status).toBe(200);
});

test('the gateway rejects calls without a team', async () => {
  const before = calls;
  expect((await ask(null)).status).toBe(401);
  expect((await ask('../other')).status).toBe(401);
  expect(calls).toBe(before);
});

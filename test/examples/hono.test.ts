import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Quittance } from '../../src/packages/sdk/index.ts';
import { compiledPackage, projectWith, root } from '../packages/sdk/support/compiled.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// The example app runs in its own process with the compiled client, as in a project of a merchant.

let t: TestApp;
let q: Quittance;
let server: ChildProcess;
let origin: string;
let largePlanId: string;

beforeAll(async () => {
  t = await startApp();
  q = new Quittance({ apiKey: t.sandboxKey, baseUrl: t.url });
  const feature = await q.features.create({ code: 'summaries', name: 'Summaries', type: 'usage' });
  const group = await q.planGroups.create({ name: 'Plans' });
  const planWith = async (name: string, includedAmount: number): Promise<string> => {
    const code = name.toLowerCase();
    const { id } = await q.plans.create({ name, code, consumptionModel: 'metered', isFree: true });
    await q.plans.featureAdd(id, { featureId: feature.id, includedAmount });
    await q.planGroups.planAdd(group.id, { planId: id });
    return id;
  };
  const planId = await planWith('Small', 2);
  largePlanId = await planWith('Large', 100);
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  const { secretKey } = await q.webhooks.create({
    url: `${origin}/hooks/quittance`,
    events: ['customer.state_changed'],
  });
  const source = (name: string): string => readFileSync(path.join(root, 'examples/hono', name), 'utf8');
  const compiled = await compiledPackage('hono-sdk');
  const files = { 'app.ts': source('app.ts'), 'server.ts': source('server.ts') };
  const project = projectWith('hono', compiled, files);
  server = spawn(process.execPath, ['--no-warnings', path.join(project, 'server.ts')], {
    env: {
      ...process.env,
      QUITTANCE_URL: t.url,
      QUITTANCE_API_KEY: t.sandboxKey,
      PLAN_ID: planId,
      WEBHOOK_SECRET: secretKey ?? '',
      PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await new Promise((resolve) => server.stdout?.once('data', resolve));
});
afterAll(async () => {
  server.kill();
  await t.close();
});

const post = async (
  route: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> => {
  const response = await fetch(`${origin}${route}`, { method: 'POST', body, headers });
  return { status: response.status, body: await response.json() };
};
const summarize = () => post('/summaries', 'Engines compute. They also print.', { 'x-user': 'ada' });

test('the app limits summaries by the plan of the user, and applies changes of the subscription immediately', async () => {
  const stranger = await summarize();
  expect(stranger).toEqual({ status: 402, body: { error: 'upgrade_required' } });
  const invalid = await post('/users', JSON.stringify({ id: 'ada', email: 'not an address' }));
  expect(invalid).toEqual({
    status: 400,
    body: { error: 'invalid', fields: [{ field: 'email', message: 'must be an email address' }] },
  });
  const user = await post('/users', JSON.stringify({ id: 'ada', email: 'ada@example.com' }));
  expect(user).toEqual({ status: 201, body: { status: 'active' } });
  await eventually(async () => (await summarize()).status === 200);
  const summary = { status: 200, body: { summary: 'Engines compute' } };
  const results = [await summarize(), await summarize()];
  expect(results).toEqual([
    summary,
    { status: 402, body: expect.objectContaining({ error: 'upgrade_required' }) },
  ]);
  const [subscription] = (await q.subscriptions.list({ customerId: 'ada' })).data;
  const id = subscription?.id ?? '';
  await q.subscriptions.changePlan(id, { newPlanId: largePlanId });
  await eventually(async () => (await summarize()).status === 200);
  // The cache denies the access after the webhook. A rejection by the service would contain a reason.
  await q.subscriptions.cancel(id, { immediate: true });
  await eventually(async () => isDeepStrictEqual(await summarize(), stranger));
  const invoices = await fetch(`${origin}/invoices`, { headers: { 'x-user': 'ada' } });
  expect([invoices.status, await invoices.json()]).toEqual([200, []]);
});

test('the app rejects a webhook that is not genuine', async () => {
  const response = await fetch(`${origin}/hooks/quittance`, { method: 'POST', body: '{}' });
  expect(response.status).toBe(400);
});

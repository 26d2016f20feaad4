import { afterAll, describe, expect, it } from 'vitest';
import { type Child, startChild } from '../support/child.ts';
import { childStorage } from '../support/storage.ts';

// A clock run survives the end of its process at any point (BIL-58): the same documents, numbers, amounts, payments and events in the same order.

const key = 'ck_sandbox_kill_test_0123456789abcdef';
const customers = 8;
const days = 28;
const cleanups: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups) await cleanup();
});

/** Where a product that outlives its processes keeps its data. */
async function storage(): Promise<Record<string, string>> {
  const { env, remove } = await childStorage({
    BOOTSTRAP_API_KEY: key,
    RATE_LIMIT_PER_MINUTE: '0',
    CLOCK_RUN_BATCH_SIZE: '1',
    WORKER_POLL_MS: '50',
    APP_SECRET: 'a secret of the kill test, long enough',
  });
  cleanups.push(remove);
  return env;
}

type Json = Record<string, unknown>;

async function call(child: Child, method: string, route: string, body?: unknown): Promise<Json> {
  const response = await fetch(`${child.url}/api/v1${route}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Json;
  if (!response.ok) throw new Error(`${method} ${route}: ${JSON.stringify(answer)}`);
  return answer;
}

async function graphql(child: Child, query: string, variables: Json = {}): Promise<Json> {
  const token = 'input' in variables;
  const response = await fetch(`${child.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? {} : { 'x-api-key': key }) },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data: Json; errors?: unknown };
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data;
}

type Run = { readonly status: string; readonly completedDeadlineCount: number; readonly failedDeadlineCount: number };

async function readRun(child: Child, id: string): Promise<Run> {
  const fields = 'status estimatedDeadlineCount completedDeadlineCount failedDeadlineCount cursorTime';
  return (await graphql(child, `query ($id: ID!) { testClockRun(id: $id) { ${fields} } }`, { id }))['testClockRun'] as Run;
}

/** Asks for the run until it is as wanted, and answers how it then is. */
async function until(child: Child, id: string, met: (run: Run) => boolean): Promise<Run> {
  for (;;) {
    const run = await readRun(child, id);
    if (met(run)) return run;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function moveClock(child: Child, body: Json): Promise<string> {
  return String((await call(child, 'POST', '/test-clock', body))['id']);
}

async function prepare(child: Child): Promise<void> {
  await until(child, await moveClock(child, { frozenTime: '2027-01-31T09:00:00Z' }), (run) => run.status === 'completed');
  const plan = await call(child, 'POST', '/plans', { name: 'Pro', code: 'pro' });
  await call(child, 'POST', `/plans/${String(plan['id'])}/prices`, { billingInterval: 'weekly', price: 1_900 });
  const numbers = Array.from({ length: customers }, (_, index) => (index % 4 === 1 ? '4000000000000341' : '4242424242424242'));
  for (const [index, number] of numbers.entries()) {
    const externalId = `customer-${index}`;
    await call(child, 'POST', '/customers', { email: `${externalId}@example.com`, externalId });
    const subscription = await call(child, 'POST', '/subscriptions', { customerId: externalId, planCode: 'pro' });
    const token = String(subscription['checkoutUrl']).split('/').at(-1);
    await graphql(child, 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }', {
      input: { token, card: { number, expMonth: 12, expYear: 2099, cvc: '123' } },
    });
  }
}

type Page = { edges: { node: Json }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };

/** All rows of a list, as the selection shows them. */
async function all(child: Child, field: string, selection: string): Promise<Json[]> {
  const rows: Json[] = [];
  for (let after: string | undefined; ; ) {
    const variables = after === undefined ? {} : { after };
    const data = await graphql(
      child,
      `query ($after: String) { ${field}(first: 100, after: $after) { edges { node { ${selection} } } pageInfo { hasNextPage endCursor } } }`,
      variables,
    );
    const page = data[field] as Page;
    rows.push(...page.edges.map((edge) => edge.node));
    if (!page.pageInfo.hasNextPage) return rows;
    after = page.pageInfo.endCursor;
  }
}

/** Everything the run leaves behind, told without ids, which differ between any two databases. */
async function told(child: Child): Promise<Json> {
  return {
    invoices: await all(
      child,
      'invoices',
      'invoiceNumber status total periodStart periodEnd customer { externalId } lineItems { lineType amount }',
    ),
    // Checkouts happen at real instants of a standing clock, so their order is part of the story too.
    transactions: await all(child, 'transactions', 'status grossAmount createdAt paidAt'),
    events: await all(child, 'events', 'event position timestamp'),
    subscriptions: await all(child, 'subscriptions', 'status customer { externalId } currentPeriod { start end }'),
    ...(await graphql(child, '{ ledgerVerify { ok mismatches { account } } }')),
  };
}

async function story(killAt: readonly number[]): Promise<Json> {
  const env = await storage();
  let child = await startChild(env);
  await prepare(child);
  const id = await moveClock(child, { advanceDays: days });
  for (const count of killAt) {
    const { status } = await until(child, id, (run) => run.completedDeadlineCount >= count || run.status === 'completed');
    expect(status).toBe('running');
    await child.kill();
    child = await startChild(env);
  }
  const run = await until(child, id, ({ status }) => status === 'completed');
  const result = { ...(await told(child)), run };
  expect(await child.stop()).toBe(0);
  return result;
}

describe('a process killed in the middle of a clock run', () => {
  it('leaves what an uninterrupted run leaves, wherever it is killed', { timeout: 300_000 }, async () => {
    const uninterrupted = await story([]);
    const killed = await story([1, 20]);
    expect(killed).toEqual(uninterrupted);
    expect(uninterrupted['ledgerVerify']).toEqual({ ok: true, mismatches: [] });
    // Six good cards renew four times; two stop at the first renewal.
    expect(uninterrupted['invoices']).toHaveLength(customers + 6 * (days / 7) + 2);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerOf, type Json, payCheckout } from '../support/caller.ts';
import { type Child, startChild } from '../support/child.ts';
import { eventually } from '../support/eventually.ts';
import { type ChildStorage, childStorage } from '../support/storage.ts';

// A clock run continues after its process is killed at any point (BIL-58). The documents, numbers, amounts, payments, and events are the
// same and in the same order.

const customers = 8;
const days = 28;

type Run = {
  readonly status: string;
  readonly completedDeadlineCount: number;
  readonly failedDeadlineCount: number;
};

/** Polls a run until it meets a condition. Returns the run. */
function seenRun(shop: Caller, id: string, isWanted: (run: Run) => boolean): Promise<Run> {
  const fields = 'status estimatedDeadlineCount completedDeadlineCount failedDeadlineCount cursorTime';
  const read = () =>
    shop.graphql<{ testClockRun: Run }>(`query ($id: ID!) { testClockRun(id: $id) { ${fields} } }`, { id });
  return eventually(async () => (await read()).testClockRun, isWanted);
}

const isCompleted = ({ status }: Run): boolean => status === 'completed';

const moveClock = async (shop: Caller, body: Json): Promise<string> =>
  String((await shop.rest('POST', '/test-clock', body))['id']);

/** Creates an organization with subscribers whose weekly periods start now. Returns the organization's sandbox API key. */
async function makeShop(child: Child): Promise<string> {
  const about = { name: 'Shop', country: 'US', businessType: 'software' };
  const { sandboxApiKey } = await callerOf(child, null).rest<{ sandboxApiKey: string }>(
    'POST',
    '/provision',
    about,
  );
  const shop = callerOf(child, sandboxApiKey);
  await seenRun(shop, await moveClock(shop, { frozenTime: '2027-01-31T09:00:00Z' }), isCompleted);
  const plan = await shop.rest('POST', '/plans', { name: 'Pro', code: 'pro' });
  await shop.rest('POST', `/plans/${String(plan['id'])}/prices`, { billingInterval: 'weekly', price: 1_900 });
  const numbers = Array.from({ length: customers }, (_, index) =>
    index % 4 === 1 ? '4000000000000341' : '4242424242424242',
  );
  for (const [index, number] of numbers.entries()) {
    const externalId = `customer-${index}`;
    await shop.rest('POST', '/customers', { email: `${externalId}@example.com`, externalId });
    const { checkoutUrl } = await shop.rest('POST', '/subscriptions', {
      customerId: externalId,
      planCode: 'pro',
    });
    await payCheckout(child, checkoutUrl, { number });
  }
  return sandboxApiKey;
}

type Page = { edges: { node: Json }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };

/** Returns all nodes in a list, with the selected fields. */
async function all(shop: Caller, field: string, selection: string): Promise<Json[]> {
  const rows: Json[] = [];
  for (let after: string | undefined; ; ) {
    const data = await shop.graphql<Record<string, Page>>(
      `query ($after: String) { ${field}(first: 100, after: $after) { edges { node { ${selection} } } pageInfo { hasNextPage endCursor } } }`,
      after === undefined ? {} : { after },
    );
    const page = data[field] as Page;
    rows.push(...page.edges.map((edge) => edge.node));
    if (!page.pageInfo.hasNextPage) return rows;
    after = page.pageInfo.endCursor;
  }
}

/** Returns everything that a run creates, without IDs, so two organizations can be compared. */
async function emitted(shop: Caller, run: Run): Promise<Json> {
  return {
    run,
    invoices: await all(
      shop,
      'invoices',
      'invoiceNumber status total periodStart periodEnd customer { externalId } lineItems { lineType amount }',
    ),
    // The clock doesn't advance between checkouts, so only real time determines their order.
    transactions: await all(shop, 'transactions', 'status grossAmount createdAt paidAt'),
    events: await all(shop, 'events', 'event position timestamp'),
    subscriptions: await all(
      shop,
      'subscriptions',
      'status customer { externalId } currentPeriod { start end }',
    ),
    ...(await shop.graphql('{ ledgerVerify { ok mismatches { account } } }')),
  };
}

describe('a process killed in the middle of a clock run', () => {
  let storage: ChildStorage;
  beforeAll(async () => {
    storage = await childStorage({
      RATE_LIMIT_PER_MINUTE: '0',
      CLOCK_RUN_BATCH_SIZE: '1',
      WORKER_POLL_MS: '50',
    });
  });
  afterAll(() => storage.remove());

  it("produces the same result as an uninterrupted run, regardless of when it's killed", {
    timeout: 300_000,
  }, async () => {
    let child = await startChild(storage.env);
    const other = callerOf(child, await makeShop(child));
    const key = await makeShop(child);
    const uninterrupted = await emitted(
      other,
      await seenRun(other, await moveClock(other, { advanceDays: days }), isCompleted),
    );

    let shop = callerOf(child, key);
    const id = await moveClock(shop, { advanceDays: days });
    for (const count of [1, 20]) {
      const { status } = await seenRun(
        shop,
        id,
        (run) => run.completedDeadlineCount >= count || isCompleted(run),
      );
      expect(status).toBe('running');
      await child.kill();
      await storage.meanwhile();
      child = await startChild(storage.env);
      shop = callerOf(child, key);
    }
    const killed = await emitted(shop, await seenRun(shop, id, isCompleted));
    expect(await child.stop()).toBe(0);

    expect(killed).toEqual(uninterrupted);
    expect(uninterrupted['ledgerVerify']).toEqual({ ok: true, mismatches: [] });
    // Six working cards each pay four renewals. Two cards fail at the first renewal.
    expect(uninterrupted['invoices']).toHaveLength(customers + 6 * (days / 7) + 2);
  });
});

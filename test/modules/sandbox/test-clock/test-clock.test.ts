import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { collect, liveClient } from '../../../support/live.ts';
import { pay, sellPlan, subscribe } from '../../../support/stories.ts';

let shop: TestApp;

beforeAll(async () => {
  shop = await startApp({ wall: { now: () => new Date('2027-01-31T09:30:00.000Z') } });
});
afterAll(() => shop.close());

type Run = { id: string; status: string; items: unknown[]; [field: string]: unknown };
type Clock = { simulatedTime: string | null; isActive: boolean; now: string; latestRun: Run | null };

const clock = async (key?: string): Promise<Clock> =>
  (await shop.rest<Clock>('GET', '/test-clock', undefined, key === undefined ? {} : { key })).body;

async function finished(id: string, key = shop.sandboxKey): Promise<Run> {
  const { latestRun } = await eventually(
    () => clock(key),
    ({ latestRun: run }) => run?.id === id && (run.status === 'completed' || run.status === 'failed'),
  );
  return latestRun as Run;
}

describe('the test clock', () => {
  it("shows real time and no run before it's first advanced (BIL-50)", async () => {
    expect(await clock()).toEqual({
      simulatedTime: null,
      isActive: false,
      now: '2027-01-31T09:30:00.000Z',
      latestRun: null,
      object: 'test_clock',
      livemode: false,
    });
  });

  it('returns 202 with a pending run, and shows the target time after the run ends (BIL-51, BIL-53)', async () => {
    const { sandboxKey: key } = await shop.otherTenant();
    const { status, body } = await shop.rest<Run>('POST', '/test-clock', { advanceDays: 1.5 }, { key });
    expect(status).toBe(202);
    expect(body).toEqual({
      id: body.id,
      status: 'pending',
      startedAtTime: '2027-01-31T09:30:00.000Z',
      targetTime: '2027-02-01T21:30:00.000Z',
      estimatedDeadlineCount: 0,
      completedDeadlineCount: 0,
      failedDeadlineCount: 0,
      error: null,
      items: [],
      object: 'test_clock_run',
      livemode: false,
    });
    const { object: _object, livemode: _livemode, ...shown } = body;
    expect(await finished(body.id, key)).toEqual({ ...shown, status: 'completed' });
    expect(await clock(key)).toMatchObject({
      simulatedTime: '2027-02-01T21:30:00.000Z',
      isActive: true,
      now: '2027-02-01T21:30:00.000Z',
    });
  });

  it('rejects live keys (BIL-50)', async () => {
    const key = shop.liveKey;
    for (const [method, path, body] of [
      ['GET', '/test-clock'],
      ['POST', '/test-clock', { advanceDays: 1 }],
      ['POST', '/test-clock/process-billing'],
    ] as const) {
      expect(await shop.rest(method, path, body, { key })).toMatchObject({
        status: 403,
        body: { error: { code: 'sandbox_only' } },
      });
    }
  });

  it.each([
    ['neither days nor a time', {}, 'advanceDays'],
    ['days together with a time', { advanceDays: 1, frozenTime: '2028-01-01T00:00:00Z' }, 'frozenTime'],
    ['0 days', { advanceDays: 0 }, 'advanceDays'],
    ['a time in the past', { frozenTime: '2027-01-31T09:30:00Z' }, 'frozenTime'],
    ['a target beyond the year 9999', { advanceDays: 9_007_199_254_740_991 }, 'advanceDays'],
  ])('rejects %s and changes nothing', async (_name, input, param) => {
    expect(await shop.rest('POST', '/test-clock', input)).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_error', param } },
    });
    expect(await clock()).toMatchObject({ simulatedTime: null, latestRun: null });
  });

  it('returns 410 for the deprecated manual billing endpoint', async () => {
    expect(await shop.rest('POST', '/test-clock/process-billing')).toMatchObject({
      status: 410,
      body: { error: { code: 'endpoint_deprecated' } },
    });
  });

  it('accepts only one of several concurrent advances', async () => {
    const { sandboxKey: key, sandboxId } = await shop.otherTenant();
    const answers = await Promise.all(
      [1, 2].map((advanceDays) => shop.rest<Run>('POST', '/test-clock', { advanceDays }, { key })),
    );
    const accepted = answers.filter(({ status }) => status === 202);
    // The first advance may end before the second one starts. In that case, both are accepted.
    const runs = await shop.app.database.query<{ status: string }>(
      'SELECT status FROM "TestClockRun" WHERE "environmentId" = $1',
      [sandboxId],
    );
    expect(runs).toHaveLength(accepted.length);
    for (const { status, body } of answers)
      if (status !== 202) expect(body).toMatchObject({ error: { code: 'validation_error' } });
    expect(accepted.length).toBeGreaterThanOrEqual(1);
  });
});

describe('a test clock run over GraphQL', () => {
  it('streams its progress, returns all items page by page, and can be canceled', async () => {
    await sellPlan(shop, 'weekly', { billingInterval: 'weekly', price: 500 });
    const { token } = await subscribe(shop, 'anna', 'weekly');
    expect(await pay(shop, token)).toBe('paid');
    const { testClockAdvance: run } = await shop.graphql<{ testClockAdvance: Run }>(
      'mutation { testClockAdvance(input: { advanceDays: 70 }) { id status estimatedDeadlineCount } }',
    );
    expect(run).toMatchObject({ status: 'pending', estimatedDeadlineCount: 1 });

    const client = liveClient(shop.url, { apiKey: shop.sandboxKey });
    const watch =
      'subscription ($id: ID!) { testClockRunProgress(id: $id) { status completedDeadlineCount } }';
    type Emitted = { testClockRunProgress: { status: string; completedDeadlineCount: number } };
    const emitted = (await collect<Emitted>(client, watch, { id: run.id })).map(
      ({ testClockRunProgress }) => testClockRunProgress,
    );
    expect(emitted.at(-1)).toEqual({ status: 'completed', completedDeadlineCount: 10 });
    const counts = emitted.map(({ completedDeadlineCount }) => completedDeadlineCount);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(await collect<Emitted>(client, watch, { id: run.id })).toEqual([
      { testClockRunProgress: { status: 'completed', completedDeadlineCount: 10 } },
    ]);
    await client.dispose();

    type Pages = {
      testClockRun: {
        itemPages: {
          edges: { cursor: string; node: { dueAt: string; invoiceNumber: string; outcome: string } }[];
          pageInfo: { hasNextPage: boolean };
        };
      };
    };
    const query = `query ($id: ID!, $after: String) { testClockRun(id: $id) { itemPages(first: 6, after: $after) {
      edges { cursor node { dueAt invoiceNumber outcome } } pageInfo { hasNextPage } } } }`;
    const first = (await shop.graphql<Pages>(query, { id: run.id })).testClockRun.itemPages;
    const second = (await shop.graphql<Pages>(query, { id: run.id, after: first.edges.at(-1)?.cursor }))
      .testClockRun.itemPages;
    expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([true, false]);
    expect(
      [...first.edges, ...second.edges].map(({ node }) => [
        node.dueAt.slice(0, 10),
        node.invoiceNumber,
        node.outcome,
      ]),
    ).toEqual([
      ['2027-02-07', 'INV-0002', 'renewed'],
      ['2027-02-14', 'INV-0003', 'renewed'],
      ['2027-02-21', 'INV-0004', 'renewed'],
      ['2027-02-28', 'INV-0005', 'renewed'],
      ['2027-03-07', 'INV-0006', 'renewed'],
      ['2027-03-14', 'INV-0007', 'renewed'],
      ['2027-03-21', 'INV-0008', 'renewed'],
      ['2027-03-28', 'INV-0009', 'renewed'],
      ['2027-04-04', 'INV-0010', 'renewed'],
      ['2027-04-11', 'INV-0011', 'renewed'],
    ]);

    const { testClockAdvance: long } = await shop.graphql<{ testClockAdvance: Run }>(
      'mutation { testClockAdvance(input: { advanceDays: 36500 }) { id } }',
    );
    await shop.graphql('mutation ($id: ID!) { testClockCancel(input: { id: $id }) { id } }', { id: long.id });
    expect(await finished(long.id)).toMatchObject({ status: 'failed', error: { code: 'canceled' } });
  });

  it('returns not_found for an unknown ID', async () => {
    for (const query of [
      'query { testClockRun(id: "tcr_none") { id } }',
      'mutation { testClockCancel(input: { id: "tcr_none" }) { id } }',
    ]) {
      expect((await shop.graphqlFailure(query)).errors[0]?.extensions).toMatchObject({
        code: 'not_found',
        param: 'id',
      });
    }
  });
});

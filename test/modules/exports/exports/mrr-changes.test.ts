import { afterAll, beforeAll, expect, test } from 'vitest';
import { foldNext } from '../../../../src/modules/metrics/sums/worker/fold.ts';
import { systemContext } from '../../../../src/request/context.ts';
import { watchChanges } from '../../../support/changes.ts';
import { eventually } from '../../../support/eventually.ts';
import {
  advanceDays,
  createActiveSubscription,
  createClimber,
  type MadeSubscription,
  otherShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';

// Recurring revenue change exports: filters, streams, and background files (DAT-30).

let t: TestApp;
let shop: Shop;
let climber: MadeSubscription & { readonly lowId: string; readonly highId: string };
let other: MadeSubscription;
let [first, second] = ['', ''];

const today = async (): Promise<string> =>
  (await systemContext(t.app, shop.environmentId)).clock.now().toISOString().slice(0, 10);

beforeAll(async () => {
  t = await startApp();
  shop = await otherShop(t);
  first = await today();
  climber = await createClimber(shop);
  other = await createActiveSubscription(shop, { price: 2_000 });
  await advanceDays(shop, 3);
  second = await today();
  await shop.rest('POST', `/subscriptions/${climber.id}/change-plan`, { newPlanId: climber.highId });
  await shop.rest('POST', `/subscriptions/${other.id}/cancel`, { immediate: true });
  while (await foldNext(await systemContext(t.app, shop.environmentId), 'revenue', null));
});
afterAll(() => t.close());

const stream = (query: string): Promise<Response> =>
  fetch(`${t.url}/api/v1/exports/stream?kind=mrr_changes&format=csv&columns=day,kind,customerId&${query}`, {
    headers: { 'x-api-key': shop.key },
  });

/** Returns each row's day, type, and customer, in order. */
async function rowsOf(query: string): Promise<string[]> {
  const answer = await stream(query);
  const text = await answer.text();
  expect([query, answer.status, text]).toEqual([query, 200, text]);
  return text.trimEnd().split('\r\n').slice(1);
}

test('an export of MRR changes applies each filter field and lists the earliest day first', async () => {
  const [a, b] = [climber.customerId, other.customerId];
  const came = [`${first},new,${a}`, `${first},new,${b}`];
  const changed = [`${second},expansion,${a}`, `${second},churn,${b}`];
  expect(await rowsOf('')).toEqual([...came, ...changed]);
  expect(await rowsOf(`dayTo=${first}`)).toEqual(came);
  expect(await rowsOf(`dayFrom=${second}&dayTo=${second}`)).toEqual(changed);
  expect(await rowsOf('kinds=new,churn')).toEqual([...came, changed[1]]);
  expect(await rowsOf('reasons=plan_changed')).toEqual([changed[0]]);
  expect(await rowsOf(`planIds=${climber.highId},${other.planId}`)).toEqual([came[1], ...changed]);
  expect(await rowsOf(`planIds=${climber.lowId}&kinds=expansion`)).toEqual([changed[0]]);
  expect(await rowsOf(`customerIds=${b}&dayFrom=${second}`)).toEqual([changed[1]]);
  expect(await rowsOf('currencies=eur')).toEqual([]);
  expect(await rowsOf('planIds=pln_nothing')).toEqual([]);
});

test("an export of MRR changes writes the stream's rows to a file in the background", async () => {
  const { exportCreate } = await t.graphql<{ exportCreate: { id: string } }>(
    'mutation ($input: ExportCreateInput!) { exportCreate(input: $input) { id } }',
    {
      input: {
        kind: 'mrr_changes',
        format: 'csv',
        columns: ['day', 'kind', 'customerId'],
        filter: { mrr_changes: { day: { from: second, to: second }, kinds: ['expansion', 'churn'] } },
      },
    },
    { key: shop.key },
  );
  type File = { status: string; files: { url: string }[] };
  const { body } = await eventually(
    () => shop.rest<File>('GET', `/exports/${exportCreate.id}`),
    ({ body: { status } }) => status === 'completed',
  );
  expect(await (await fetch(body.files[0]?.url ?? '')).text()).toBe(
    await (await stream(`dayFrom=${second}`)).text(),
  );
});

test.each([
  ['dayFrom=2026-02-02&dayTo=2026-02-01', 'filter.day.to'],
  ['dayFrom=2026-02-30', 'dayFrom'],
  ['kinds=sideways', 'kinds'],
  ['reasons=none', 'reasons'],
  ['currencies=xyz', 'currencies'],
])('an export of MRR changes reports the invalid input in %s and changes nothing', async (query, param) => {
  const changes = await watchChanges(t.app.database.query);
  const answer = await stream(query);
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { error: { code: 'validation_error', param: expect.stringContaining(param) } },
  ]);
  expect(await changes()).toEqual([]);
});

test('an export of MRR changes rejects a reversed range over GraphQL before the export is created', async () => {
  const filter = { mrr_changes: { day: { from: second, to: first } } };
  expect(
    await rejection(
      t,
      'mutation ($input: ExportCreateInput!) { exportCreate(input: $input) { id } }',
      { input: { kind: 'mrr_changes', format: 'csv', filter } },
      { key: shop.key },
    ),
  ).toMatchObject({ code: 'validation_error', param: 'filter.day.to' });
});

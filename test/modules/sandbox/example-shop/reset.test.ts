import { afterAll, beforeAll, expect, test } from 'vitest';
import { keptModels } from '../../../../src/modules/sandbox/example-shop/delete-data.ts';
import {
  advanceDays,
  createActiveSubscription,
  createDispute,
  createPlanGroup,
  createWebhook,
  otherShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { exampleSettled } from '../../../support/operations/example-shop.ts';
import { rejection } from '../../../support/refusals.ts';
import { expectLedgerBalanced } from '../../../support/stories.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const reset =
  'mutation ($confirm: Boolean!) { sandboxReset(input: { confirm: $confirm }) { isActive simulatedTime } }';
const confirm = { confirm: true };

/** Returns the number of rows per table in an environment, excluding empty tables. */
async function tables(environmentId: string): Promise<Record<string, number>> {
  const { query } = t.app.database;
  const names = await query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'environmentId' ORDER BY 1`,
  );
  const found: Record<string, number> = {};
  for (const { name } of names) {
    const [row] = await query<{ count: number }>(
      `SELECT count(*)::int AS count FROM "${name}" WHERE "environmentId" = $1`,
      [environmentId],
    );
    if (row !== undefined && row.count > 0) found[name] = row.count;
  }
  return found;
}

const ledgerOf = (shop: Shop) =>
  expectLedgerBalanced({
    ...t,
    graphql: (query, variables) => t.graphql(query, variables, { key: shop.key }),
  });

test('a sandbox reset deletes the sandbox data, keeps API keys and webhook endpoints, and allows a new example run', async () => {
  const [shop, neighbor] = [await otherShop(t), await otherShop(t)];
  await createActiveSubscription(neighbor);
  const { id: webhookId } = await createWebhook(shop);
  await t.graphql('mutation { sandboxExampleLoad(input: { size: small }) { id } }', {}, { key: shop.key });
  const { errors } = await t.graphqlFailure(reset, confirm, { key: shop.key });
  expect(errors[0]?.extensions).toMatchObject({ code: 'validation_error', param: 'confirm' });
  await exampleSettled(shop);
  await createDispute(shop);
  await createPlanGroup(shop);
  const before = await tables(shop.environmentId);
  expect(before).toMatchObject({ Customer: 31, ExampleRun: 1, TestClockRun: 13 });
  const beside = await tables(neighbor.environmentId);

  expect(await rejection(t, reset, { confirm: false }, { key: shop.key })).toMatchObject({
    param: 'confirm',
  });
  expect(await rejection(t, reset, confirm, { key: t.liveKey })).toMatchObject({ code: 'sandbox_only' });
  const answer = await t.graphql(reset, confirm, { key: shop.key });
  expect(answer).toEqual({ sandboxReset: { isActive: false, simulatedTime: null } });
  const after = await tables(shop.environmentId);
  // The lease and the key hash belong to the installation, not the environment.
  expect(Object.keys(after).filter((name) => !keptModels.includes(name))).toEqual([
    'ApiKeyHash',
    'EnvironmentLease',
  ]);
  expect(after).toMatchObject({ ApiKey: before['ApiKey'], Webhook: 1, WebhookCursor: 1, TestClock: 1 });
  expect(await tables(neighbor.environmentId)).toEqual(beside);

  const { body } = await shop.rest<{ id: string; isActive: boolean }>('GET', `/webhooks/${webhookId}`);
  expect(body).toMatchObject({ id: webhookId, isActive: true });
  await createActiveSubscription(shop);
  const { invoices } = await t.graphql<{ invoices: { nodes: unknown[] } }>(
    '{ invoices { nodes { invoiceNumber status } } }',
    {},
    { key: shop.key },
  );
  expect(invoices.nodes).toEqual([{ invoiceNumber: 'INV-0001', status: 'paid' }]);
  expect(await advanceDays(shop, 31)).toBe('completed');
  await ledgerOf(shop);
}, 120_000);

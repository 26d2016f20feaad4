import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { createGrantable, createGranted, grantBody } from '../support/plan-grants.ts';

// Plan grants concurrent with other grants, or with usage at the limit. One grant succeeds, and usage never exceeds the limit (SUB-53,
// CON-7).

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Answer = { readonly id: string; readonly error?: { readonly code: string } };

test('eight concurrent requests create one plan grant, and the other seven fail with `duplicate`', async () => {
  const made = await createGrantable(shop);
  const path = `/customers/${made.customerId}/plan-grants`;
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => shop.rest<Answer>('POST', path, grantBody(made))),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.error?.code === 'duplicate')).toHaveLength(7);
  const { body } = await shop.rest<{ data: unknown[] }>('GET', path);
  expect(body.data).toHaveLength(1);
});

test('concurrent revocations end a plan grant once, with one event', async () => {
  const made = await createGranted(shop);
  const path = `/customers/${made.customerId}/plan-grants/${made.grantId}/revoke`;
  const answers = await Promise.all([1, 2].map(() => shop.rest<Answer>('POST', path, { reason: 'Enough.' })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  const rows = await t.app.database.query<{ kind: string }>(
    `SELECT kind FROM "Event" WHERE "environmentId" = $1 AND "subscriptionId" = $2 AND kind LIKE 'plan_grant.%' ORDER BY position`,
    [t.sandboxId, made.subscriptionId],
  );
  expect(rows.map(({ kind }) => kind)).toEqual(['plan_grant.created', 'plan_grant.revoked']);
});

test.each([
  ['begins', createGrantable, 10, 40],
  ['ends', createGranted, 10, 40],
] as const)(
  "usage accepted while a plan grant %s stays within either the plan's or the grant's limit",
  async (what, make, least, most) => {
    const made = await make(shop);
    const path = `/customers/${made.customerId}/plan-grants`;
    const { customerId, featureCode } = made;
    const change =
      'grantId' in made
        ? shop.rest('POST', `${path}/${made.grantId}/revoke`, { reason: 'Enough.' })
        : shop.rest('POST', path, grantBody(made));
    const uses = Array.from({ length: 40 }, () =>
      shop.rest<Answer>('POST', '/usage/events', { customerId, featureCode, value: 1 }),
    );
    const [changed, ...answers] = await Promise.all([change, ...uses]);
    expect(changed?.status).toBeLessThan(300);
    const accepted = answers.filter(({ status }) => status === 200).length;
    expect(accepted).toBeGreaterThanOrEqual(least);
    expect(accepted).toBeLessThanOrEqual(most);
    for (const { status, body } of answers)
      if (status !== 200) expect((body as Answer).error?.code).toBe('included_limit_reached');
    const { body } = await shop.rest('GET', `/feature-access/${featureCode}?customerId=${customerId}`);
    expect(body).toMatchObject({
      consumption: { unitsUsed: accepted, includedUnits: what === 'begins' ? 100 : 10 },
    });
  },
);

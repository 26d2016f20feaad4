import { afterAll, beforeAll, expect, it } from 'vitest';
import { watchChanges } from '../../../support/changes.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

let t: TestApp;

beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

type Made = { id: string; [name: string]: unknown };

it('the plan REST API creates, reads, and deletes a catalog with the documented HTTP status codes', async () => {
  const call = async (status: number, method: string, path: string, body?: unknown): Promise<Made> => {
    const answer = await t.rest<Made>(method, path, body);
    expect([answer.status, answer.body]).toEqual([status, expect.anything()]);
    return answer.body;
  };
  const feature = await call(201, 'POST', '/features', { code: 'exports', name: 'Exports', type: 'usage' });
  const plan = await call(201, 'POST', '/plans', { code: 'harbor', name: 'Harbor' });
  expect(
    await call(201, 'POST', `/plans/${plan.id}/features`, { featureId: feature.id, includedAmount: 3_500 }),
  ).toEqual({
    planId: plan.id,
    featureId: feature.id,
    enabled: true,
    includedAmount: 3_500,
    unlimited: false,
    overage: { enabled: false, unitPrice: 0 },
    creditsPerUnit: null,
    pricingMode: 'fixed',
    margin: null,
    object: 'plan_feature',
    livemode: false,
  });
  const monthly = await call(201, 'POST', `/plans/${plan.id}/prices`, {
    billingInterval: 'monthly',
    price: 6_150,
  });
  const yearly = await call(201, 'POST', `/plans/${plan.id}/prices`, {
    billingInterval: 'yearly',
    price: 60_000,
  });
  expect(Object.keys(monthly).toSorted()).toEqual(
    [
      'id planId billingInterval price isDefault trialDays includedBalance includedCredits offerId inheritsFromPriceId',
      'metadata marketPrices createdAt updatedAt object livemode',
    ]
      .join(' ')
      .split(' ')
      .toSorted(),
  );
  expect(await call(200, 'PUT', `/plans/harbor/prices/${yearly.id}/default`)).toMatchObject({
    id: yearly.id,
    isDefault: true,
  });
  expect(await call(200, 'DELETE', `/plans/${plan.id}/prices/${monthly.id}`)).toEqual({
    id: monthly.id,
    deleted: true,
    object: 'plan_price',
    livemode: false,
  });
  const read = await call(200, 'GET', `/plans/${plan.id}`);
  expect(read).toMatchObject({
    prices: [{ id: yearly.id }],
    features: [{ code: 'exports', includedAmount: 3_500 }],
    exchangeRates: [],
  });
  expect(await call(200, 'GET', '/plans')).toEqual({ object: 'list', data: [read], hasMore: false });
  expect(await call(200, 'DELETE', `/plans/${plan.id}/features/${feature.id}`)).toEqual({
    id: feature.id,
    removed: true,
    object: 'plan_feature',
    livemode: false,
  });
  expect(await call(200, 'DELETE', '/features/exports')).toMatchObject({
    id: feature.id,
    deleted: true,
    object: 'feature',
  });
  expect(await call(200, 'DELETE', '/plans/harbor')).toMatchObject({
    id: plan.id,
    deleted: true,
    object: 'plan',
  });
});

it('the API key REST endpoint returns a new key with status 201, and rejects scopes', async () => {
  const made = await t.rest('POST', '/api-keys', { name: 'CI', expiresInDays: 2 });
  expect(made.status).toBe(201);
  expect(Object.keys(made.body).toSorted()).toEqual([
    'apiKey',
    'createdAt',
    'expiresAt',
    'id',
    'livemode',
    'name',
    'object',
    'prefix',
  ]);
  const changes = await watchChanges(t.app.database.query);
  const rejected = await t.rest('POST', '/api-keys', { name: 'CI', scopes: ['read'] });
  expect(rejected).toMatchObject({
    status: 400,
    body: { error: { code: 'validation_error', details: [{ field: 'scopes' }] } },
  });
  expect(await changes()).toEqual([]);
});

it('the feature REST endpoint accepts null in optional text fields, and rejects a null name', async () => {
  await t.rest('POST', '/features', {
    code: 'nulls',
    name: 'Nulls',
    type: 'quota',
    description: 'x',
    unitName: 'y',
  });
  expect(await t.rest('PATCH', '/features/nulls', { description: null, unitName: null })).toMatchObject({
    status: 200,
    body: { description: null, unitName: null, name: 'Nulls' },
  });
  expect(await t.rest('PATCH', '/features/nulls', { name: null })).toMatchObject({
    status: 400,
    body: { error: { code: 'validation_error', param: 'name' } },
  });
  expect(await t.rest('PATCH', '/features/nulls', {})).toMatchObject({
    status: 400,
    body: { error: { code: 'validation_error' } },
  });
});

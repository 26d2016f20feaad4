import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import { dump } from '../../../support/dump.ts';
import {
  attachFeature,
  createCustomer,
  createFeature,
  firstShop,
  otherShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { memberOf } from '../../../support/people.ts';
import { createGrantable, createGranted, grantBody } from '../../../support/plan-grants.ts';
import { rejection } from '../../../support/refusals.ts';
import { tablesRead } from '../../../support/statements.ts';
import { follow, openSocket } from '../../messages/events/live.ts';

const now = '2027-03-01T08:00:00.000Z';

type Grant = {
  readonly id: string;
  readonly planReleaseId: string;
  readonly events: readonly { readonly id: string }[];
};
type Failure = {
  readonly error: {
    readonly code: string;
    readonly param?: string;
    readonly details?: readonly { readonly field: string }[];
  };
};

describe('the plan grant API', () => {
  let t: TestApp;
  let shop: Shop;
  beforeAll(async () => {
    t = await startApp({ wall: new MovableClock(now) });
    shop = firstShop(t);
  });
  afterAll(() => t.close());

  it('creates a grant, returns it with its history, and includes it in feature access (SUB-56, SUB-58)', async () => {
    const made = await createGrantable(shop);
    const sso = await createFeature(shop, 'boolean');
    await attachFeature(shop, made.planId, sso.id);
    const { status, body } = await shop.rest<Grant>(
      'POST',
      `/customers/${made.customerId}/plan-grants`,
      grantBody(made),
    );
    const entry = {
      type: 'created',
      reason: 'A trial of the higher plan.',
      source: 'api',
      previousExpiresAt: null,
      expiresAt: '2027-05-01T00:00:00.000Z',
      duration: 'cycles',
      durationCycles: 2,
      requestedExpiresAt: null,
      createdAt: now,
    };
    const grant = {
      id: expect.stringMatching(/^pgr_/),
      customerId: made.customerId,
      subscriptionId: made.subscriptionId,
      basePlanId: made.basePlanId,
      planId: made.planId,
      planReleaseId: expect.stringMatching(/^plr_.{16,}/),
      status: 'active',
      duration: 'cycles',
      durationCycles: 2,
      startsAt: now,
      expiresAt: '2027-05-01T00:00:00.000Z',
      reason: 'A trial of the higher plan.',
      source: 'api',
      revokedAt: null,
      createdAt: now,
      updatedAt: now,
      events: [{ id: expect.stringMatching(/^gre_/), ...entry }],
      object: 'plan_grant',
      livemode: false,
    };
    expect({ status, body }).toEqual({ status: 201, body: grant });
    const { body: subscription } = await shop.rest('GET', `/subscriptions/${made.subscriptionId}`);
    expect(subscription).toMatchObject({
      planGrant: {
        id: body.id,
        plan: { id: made.planId, name: 'Higher' },
        expiresAt: '2027-05-01T00:00:00.000Z',
      },
      plan: { id: made.basePlanId },
      features: [
        {
          code: made.featureCode,
          usage: { included: 100, unlimited: false },
          baseAccess: { included: 10, unlimited: false },
        },
        { code: sso.code, enabled: true, baseAccess: { enabled: false } },
      ],
    });
    const access = async (code: string) =>
      (await shop.rest('GET', `/feature-access/${code}?customerId=${made.customerId}`)).body;
    expect(await access(made.featureCode)).toMatchObject({
      allowed: true,
      consumption: { includedUnits: 100, overage: { enabled: false } },
      baseAccess: { includedUnits: 10, unlimited: false },
    });
    expect(await access(sso.code)).toMatchObject({
      allowed: true,
      enabled: true,
      baseAccess: { enabled: false },
    });
    const { body: list } = await shop.rest('GET', `/customers/${made.customerId}/plan-grants`);
    expect(list).toEqual({ object: 'list', data: [grant], hasMore: false });
    const path = `/customers/${made.customerId}/plan-grants/${body.id}`;
    expect((await shop.rest('POST', `${path}/revoke`, { reason: 'Enough.' })).body).toMatchObject({
      status: 'revoked',
      revokedAt: now,
    });
    const { body: after } = await shop.rest<{ features: unknown[] }>(
      'GET',
      `/subscriptions/${made.subscriptionId}`,
    );
    expect(after).not.toHaveProperty('planGrant');
    expect(after.features).toMatchObject([
      { code: made.featureCode, usage: { included: 10 }, baseAccess: null },
    ]);
    expect(await access(made.featureCode)).not.toHaveProperty('baseAccess');
    expect(await access(sso.code)).toMatchObject({ error: { code: 'feature_not_in_plan' } });
  });

  it.each(['seats', 'quota'] as const)(
    'raises the limit of %s, and rejects units above the raised limit (CON-3, CON-52)',
    async (type) => {
      const made = await createGrantable(shop, { type });
      await shop.rest('POST', `/customers/${made.customerId}/plan-grants`, grantBody(made));
      const path = type === 'seats' ? '/seats' : '/usage/quota';
      const add = (count: number) =>
        shop.rest<Failure>('POST', path, {
          customerId: made.customerId,
          featureCode: made.featureCode,
          count,
        });
      expect((await add(100)).status).toBe(200);
      expect((await add(1)).body).toMatchObject({ error: { code: 'included_limit_reached' } });
      const { body } = await shop.rest(
        'GET',
        `/feature-access/${made.featureCode}?customerId=${made.customerId}`,
      );
      expect(body).toMatchObject({
        allowed: false,
        usage: { unitsUsed: 100, includedUnits: 100 },
        baseAccess: { includedUnits: 10 },
      });
    },
  );

  it.each<[string, object, string[]]>([
    ['cycles without a number', { duration: 'cycles', durationCycles: undefined }, ['durationCycles']],
    ['cycles with a date', { expiresAt: '2099-01-01T00:00:00Z' }, ['expiresAt']],
    ['0 cycles', { durationCycles: 0 }, ['durationCycles']],
    ['1.5 cycles', { durationCycles: 1.5 }, ['durationCycles']],
    ['too many cycles', { durationCycles: 1_001 }, ['durationCycles']],
    ['until_date without a date', { duration: 'until_date', durationCycles: undefined }, ['expiresAt']],
    [
      'until_date with cycles',
      { duration: 'until_date', expiresAt: '2099-01-01T00:00:00Z' },
      ['durationCycles'],
    ],
    [
      'a date at the current time',
      { duration: 'until_date', durationCycles: undefined, expiresAt: now },
      ['expiresAt'],
    ],
    [
      'until_revoked with cycles and a date',
      { duration: 'until_revoked', expiresAt: '2099-01-01T00:00:00Z' },
      ['durationCycles', 'expiresAt'],
    ],
    ['an empty reason', { reason: '' }, ['reason']],
  ])('rejects %s, and changes nothing (SUB-55)', async (_what, changes, fields) => {
    const made = await createGranted(shop);
    const fresh = await createGrantable(shop);
    const before = await dump(t.app.database.query);
    const { subscriptionId: _subscription, planId: _plan, ...term } = grantBody(made);
    const answers = [
      await shop.rest<Failure>(
        'POST',
        `/customers/${fresh.customerId}/plan-grants`,
        { ...grantBody(fresh), ...changes },
        { headers: { 'idempotency-key': '' } },
      ),
      await shop.rest<Failure>('PATCH', `/customers/${made.customerId}/plan-grants/${made.grantId}`, {
        ...term,
        ...changes,
      }),
    ];
    for (const { status, body } of answers.slice(1)) {
      expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'validation_error' });
      expect(body.error.details?.map(({ field }) => field)).toEqual(fields);
    }
    expect(await subscriptionsAndGrants(before)).toEqual(
      await subscriptionsAndGrants(await dump(t.app.database.query)),
    );
  });

  const subscriptionsAndGrants = async (rows: Awaited<ReturnType<typeof dump>>) => [
    rows['Subscription'],
    rows['PlanGrant'],
    rows['Event'],
  ];

  it('returns the source `dashboard` for grants that a member created (PLT-8)', async () => {
    const made = await createGrantable(shop);
    const { headers } = await memberOf(t, t.organizationId, 'admin');
    const operation = `mutation ($input: PlanGrantCreateInput!) { planGrantCreate(input: $input) { source events { source } } }`;
    const answer = await t.graphql(
      operation,
      { input: { customerId: made.customerId, ...grantBody(made) } },
      { key: null, headers: { ...headers, 'x-environment': 'sandbox' } },
    );
    expect(answer).toEqual({ planGrantCreate: { source: 'dashboard', events: [{ source: 'dashboard' }] } });
  });

  it("doesn't find another customer's or organization's grants", async () => {
    const made = await createGranted(shop);
    const { id: other } = await createCustomer(shop);
    const operation = 'mutation ($input: PlanGrantRevokeInput!) { planGrantRevoke(input: $input) { id } }';
    const input = { grantId: made.grantId, reason: 'None.' };
    expect(await rejection(t, operation, { input: { ...input, customerId: other } })).toMatchObject({
      code: 'not_found',
      param: 'grantId',
    });
    const { key } = await otherShop(t);
    expect(
      await rejection(t, operation, { input: { ...input, customerId: made.customerId } }, { key }),
    ).toMatchObject({
      code: 'customer_not_found',
    });
    const create = 'mutation ($input: PlanGrantCreateInput!) { planGrantCreate(input: $input) { id } }';
    const foreign = { input: { customerId: other, ...grantBody(await createGrantable(shop)) } };
    expect(await rejection(t, create, foreign)).toMatchObject({ code: 'subscription_not_found' });
  });

  it('allows one active grant per subscription, which the database enforces', async () => {
    const made = await createGranted(shop);
    const again = t.app.database.query(
      `INSERT INTO "PlanGrant" SELECT (jsonb_populate_record(g, '{"id":"pgr_again"}')).* FROM "PlanGrant" g WHERE "environmentId" = $1 AND id = $2`,
      [t.sandboxId, made.grantId],
    );
    await expect(again).rejects.toThrow(/PlanGrant_one_active/);
  });

  it('updates the access stream at the start and the end of a grant', async () => {
    const made = await createGrantable(shop);
    const socket = openSocket(t);
    const text = `subscription ($id: ID!) { featureAccessChanged(customerId: $id) { ... on UsageFeatureAccess {
      consumption { ... on MeteredConsumption { includedUnits } } baseAccess { includedUnits } } } }`;
    const reader = follow<unknown[]>(socket, text, { id: made.customerId });
    const emitted = async () => (await reader.next()).value;
    expect(await emitted()).toEqual([{ consumption: { includedUnits: 10 }, baseAccess: null }]);
    const widened = emitted();
    const { body } = await shop.rest<Grant>(
      'POST',
      `/customers/${made.customerId}/plan-grants`,
      grantBody(made),
    );
    expect(await widened).toEqual([
      { consumption: { includedUnits: 100 }, baseAccess: { includedUnits: 10 } },
    ]);
    const narrowed = emitted();
    await shop.rest('POST', `/customers/${made.customerId}/plan-grants/${body.id}/revoke`, {
      reason: 'Enough.',
    });
    expect(await narrowed).toEqual([{ consumption: { includedUnits: 10 }, baseAccess: null }]);
    await reader.stop();
    await socket.dispose();
  });

  it("reuses the plan release until the plan's features change (SUB-54)", async () => {
    const made = await createGrantable(shop);
    const grantAgain = async () => {
      const { body } = await shop.rest<Grant>(
        'POST',
        `/customers/${made.customerId}/plan-grants`,
        grantBody(made),
      );
      await shop.rest('POST', `/customers/${made.customerId}/plan-grants/${body.id}/revoke`, {
        reason: 'Enough.',
      });
      return body.planReleaseId;
    };
    const [first, second] = [await grantAgain(), await grantAgain()];
    expect(second).toBe(first);
    await attachFeature(shop, made.planId, (await createFeature(shop, 'boolean')).id);
    expect(await grantAgain()).not.toBe(first);
  });

  it.each([1, 5])('reads the grants of %d subscriptions with one SQL statement per table', async (first) => {
    for (let index = 0; index < first; index++) await createGranted(shop);
    const operation = `{ subscriptions(first: ${first}) { edges { node { planGrant { planGrantId plan { name } }
      features { ... on SubscriptionUsageFeature { usage { included } baseAccess { included } } } customer { planGrants { edges { node { id plan { id } } } } } } } } }`;
    const { tables } = await tablesRead(t, operation);
    expect(tables.toSorted()).toEqual([
      'AddonActivation',
      'ConsumptionAccount',
      'Customer',
      'Feature',
      'FeatureCount',
      'Lot',
      'Plan',
      'PlanFeatureVersion',
      // Active plan grants on the subscriptions, and a page of the customers' plan grants.
      'PlanGrant',
      'PlanGrant',
      'PlanPrice',
      'PlanPriceVersion',
      'Subscription',
      'UsageCounter',
    ]);
  });
});

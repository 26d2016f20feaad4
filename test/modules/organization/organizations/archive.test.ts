import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import { watchChanges } from '../../../support/changes.ts';
import { eventually } from '../../../support/eventually.ts';
import {
  createActiveSubscription,
  createWebhook,
  firstShop,
  openPortal,
  type Shop,
  shopOf,
} from '../../../support/factories.ts';
import { startApp, type Tenant, type TestApp } from '../../../support/harness.ts';
import { memberOf, type Session } from '../../../support/people.ts';

// Archiving an organization revokes access, stops billing, and keeps records (PLT-5).

const wall = new MovableClock('2027-03-01T08:00:00.000Z');
let t: TestApp;
beforeAll(async () => {
  t = await startApp({ wall, env: { WORKER_POLL_MS: '50' } });
});
afterAll(() => t.close());

const text =
  'mutation ($input: OrganizationArchiveInput!) { organizationArchive(input: $input) { deletedId object } }';
const as = ({ headers }: Session, mode = 'live') => ({
  key: null,
  headers: { ...headers, 'x-environment': mode },
});
const code = async (query: string, variables: object, caller: object): Promise<unknown> => {
  const changes = await watchChanges(t.app.database.query);
  const { errors } = await t.graphqlFailure(query, { ...variables }, caller);
  expect(await changes()).toEqual([]);
  return errors[0]?.extensions['code'];
};
const count = async (table: string, environmentId: string): Promise<number> => {
  const [row] = await t.app.database.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM "${table}" WHERE "environmentId" = $1`,
    [environmentId],
  );
  return row?.n ?? -1;
};

describe('archiving an organization', () => {
  let tenant: Tenant;
  let owner: Session;
  let shop: Shop;
  beforeAll(async () => {
    tenant = await t.otherTenant();
    owner = await memberOf(t, tenant.organizationId, 'owner');
    shop = shopOf(t, tenant.sandboxKey, tenant.sandboxId);
  });

  test('requires the owner, the live environment, and a recent password confirmation', async () => {
    const input = { id: tenant.organizationId };
    const admin = await memberOf(t, tenant.organizationId, 'admin');
    expect(await code(text, { input }, as(admin))).toBe('forbidden');
    expect(await code(text, { input }, as(owner, 'sandbox'))).toBe('forbidden');
    expect(await code(text, { input }, { key: tenant.liveKey })).toBe('unauthorized');
    expect(await code(text, { input: { id: t.organizationId } }, as(owner))).toBe('not_found');
    wall.set('2027-03-01T09:00:00.000Z');
    expect(await code(text, { input }, as(owner))).toBe('reauthentication_required');
  });

  test('revokes access, releases the slug, and retains the records', async () => {
    const stranger = await memberOf(t, t.organizationId, 'owner');
    // The member entered the password recently, so archiving is allowed.
    owner = await memberOf(t, tenant.organizationId, 'admin');
    await t.app.database.prisma.member.deleteMany({
      where: { organizationId: tenant.organizationId, role: 'owner' },
    });
    await t.app.database.prisma.member.updateMany({
      where: { organizationId: tenant.organizationId, userId: owner.userId },
      data: { role: 'owner' },
    });
    const slug = 'the-archived';
    await t.graphql(
      'mutation ($input: OrganizationUpdateInput!) { organizationUpdate(input: $input) { id } }',
      { input: { slug } },
      as(owner),
    );
    const { customerId } = await createActiveSubscription(shop);
    await createWebhook(shop);
    const token = await openPortal(shop, customerId);
    const kept = ['Customer', 'Subscription', 'Invoice', 'Transaction', 'LedgerTransfer', 'Event'];
    const before = await Promise.all(kept.map((table) => count(table, tenant.sandboxId)));
    expect(Math.min(...before)).toBeGreaterThan(0);

    expect(await t.graphql(text, { input: { id: tenant.organizationId } }, as(owner))).toEqual({
      organizationArchive: { deletedId: tenant.organizationId, object: 'organization' },
    });

    for (const key of [tenant.sandboxKey, tenant.liveKey])
      expect(await code('{ organization { id } }', {}, { key })).toBe('unauthorized');
    expect((await t.graphql('{ memberships { organizationId } }', {}, as(owner)))['memberships']).toEqual([]);
    expect(await code(text, { input: { id: tenant.organizationId } }, as(owner))).toBe('unauthorized');
    const portal = 'query ($token: String) { portal(token: $token) { customer { email } } }';
    expect(await code(portal, { token }, { key: null })).toBe('unauthorized');
    expect(await Promise.all(kept.map((table) => count(table, tenant.sandboxId)))).toEqual(before);
    for (const table of ['ApiKey', 'ApiKeyHash', 'EnvironmentLease', 'EmailCursor', 'SumCursor'])
      for (const id of [tenant.sandboxId, tenant.liveId])
        expect([table, await count(table, id)]).toEqual([table, 0]);
    // Another organization now uses the slug.
    await t.graphql(
      'mutation ($input: OrganizationUpdateInput!) { organizationUpdate(input: $input) { id } }',
      { input: { slug } },
      as(stranger),
    );
  });

  test('stops charges for the archived organization, but not for other organizations', async () => {
    const own = firstShop(t);
    const other = await createActiveSubscription(own);
    const before = await count('Invoice', tenant.sandboxId);
    wall.set('2027-04-05T08:00:00.000Z');
    const renewed = async () =>
      (await own.rest<{ data: unknown[] }>('GET', `/invoices?customerId=${other.customerId}`)).body.data
        .length;
    await eventually(renewed, (invoices) => invoices === 2);
    expect(await count('Invoice', tenant.sandboxId)).toBe(before);
    expect(await count('EnvironmentLease', tenant.sandboxId)).toBe(0);
  });
});

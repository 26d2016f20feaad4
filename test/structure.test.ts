import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { globalModels } from '../src/domain/rows/tenancy.ts';
import { getDatamodel } from '../src/generated/pothos.ts';
import { createOrganization } from '../src/modules/organization/organizations/create.ts';
import type { Database } from '../src/platform/db/pool.ts';
import { type TenantClient, tenantClient } from '../src/platform/db/tenant.ts';
import { closeApp, MovableClock, openApp } from './support/billing-world.ts';
import { watchTrigger } from './support/changes.ts';

// Tests that tenants are separated in the migrated database. Tables, keys, and references must never connect two environments.

type App = Awaited<ReturnType<typeof openApp>>;

let app: App;
let database: Database;
let own: string;
let other: string;
beforeAll(async () => {
  app = await openApp(new MovableClock('2026-01-01T00:00:00.000Z'));
  database = app.database;
  const { sandbox, live } = await createOrganization(app, { name: 'Structure' });
  own = sandbox.id;
  other = live.id;
});
afterAll(() => closeApp(app));

/** Tables without an environment ID, with the reasons. */
const globalTables: Readonly<Record<string, string>> = {
  Organization: 'Owns both environments.',
  OrganizationClaim: 'How a human takes over an organization, before and beside its environments (PLT-17).',
  OpenIdempotencyKey: 'Answers to callers that have no environment yet (PLT-15).',
  Environment: 'The environments themselves.',
  AiModel: 'One catalog of AI models for all (CON-32).',
  AiModelPrice: 'Its history.',
  ApiKeyHash: 'Finds the environment of a key that comes without one.',
  EnvironmentLease: 'Shares environments among workers.',
  Person: 'People, who may belong to several organizations.',
  Session: 'Sessions of people.',
  Credential: 'How people prove themselves.',
  SecondFactor: 'One-time codes of people.',
  Passkey: 'Keys of devices with which people sign in.',
  Verification: 'What the authentication library remembers on the way.',
  Member: 'People of an organization, for both its environments (PLT-6).',
  MemberInvitation: 'People asked into an organization.',
  DeviceLogin: 'Sign-ins of command lines, before a member selects an environment (AGT-40).',
  OAuthCode: 'Authorization codes of apps, which are found without an environment (AGT-67).',
  OAuthRefreshToken: 'Tokens of connected apps, which are found without an environment (AGT-67).',
  SavedView: 'Lists as people of an organization arranged them, for both environments.',
  OrganizationLogo: 'Pictures of organizations, for both environments.',
  FormerActor: 'Names of keys and members that are gone, for the events of both environments.',
  ScheduledTask: 'What the installation does again and again.',
  FxFeedRate: 'Exchange rates read for all.',
  Setting: 'Secrets of the installation.',
  UseWindow: 'Counts of limits: emails to an address, uses of a code.',
  _prisma_migrations: "Prisma's own record of migrations.",
};

const rows = <Row>(text: string): Promise<Row[]> => database.query<Row>(text);

describe('the migrated database schema', () => {
  test('starts the primary key of every tenant table with the environment', async () => {
    const keys = await rows<{ name: string; columns: string[] | null }>(
      `SELECT t.relname AS name, (SELECT array_agg(a.attname::text ORDER BY k.place) FROM pg_constraint c, unnest(c.conkey) WITH ORDINALITY k(number, place), pg_attribute a
         WHERE c.conrelid = t.oid AND c.contype = 'p' AND a.attrelid = t.oid AND a.attnum = k.number) AS columns
       FROM pg_class t WHERE t.relkind = 'r' AND t.relnamespace = 'public'::regnamespace ORDER BY 1`,
    );
    const tenant = keys.filter(({ name }) => globalTables[name] === undefined);
    expect(tenant.filter(({ columns }) => columns?.[0] !== 'environmentId').map(({ name }) => name)).toEqual(
      [],
    );
    expect(keys.length - tenant.length).toBe(Object.keys(globalTables).length);
    // Tables whose primary key consists of only the environment have one row per environment.
    const single = tenant.filter(({ columns }) => columns?.length === 1).map(({ name }) => name);
    expect(single).toEqual(['EmailCursor', 'EnvironmentCounter', 'TestClock']);
  });

  test('contains no foreign keys between environments and no cascading deletes', async () => {
    const keys = await rows<{
      name: string;
      source: string;
      target: string;
      columns: string[];
      refs: string[];
      onDelete: string;
      onUpdate: string;
    }>(
      `SELECT c.conname AS name, s.relname AS source, t.relname AS target, c.confdeltype::text AS "onDelete", c.confupdtype::text AS "onUpdate",
         (SELECT array_agg(a.attname::text ORDER BY k.place) FROM unnest(c.conkey) WITH ORDINALITY k(number, place), pg_attribute a WHERE a.attrelid = s.oid AND a.attnum = k.number) AS columns,
         (SELECT array_agg(a.attname::text ORDER BY k.place) FROM unnest(c.confkey) WITH ORDINALITY k(number, place), pg_attribute a WHERE a.attrelid = t.oid AND a.attnum = k.number) AS refs
       FROM pg_constraint c JOIN pg_class s ON s.oid = c.conrelid JOIN pg_class t ON t.oid = c.confrelid
       WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace`,
    );
    expect(keys.length).toBeGreaterThan(10);
    const between = keys.filter(
      ({ source, target }) => globalTables[source] === undefined && globalTables[target] === undefined,
    );
    expect(between.length).toBeGreaterThan(10);
    expect(
      between.filter(
        ({ columns, refs }) =>
          columns[0] !== 'environmentId' || refs[0] !== 'environmentId' || columns.length < 2,
      ),
    ).toEqual([]);
    // In `confdeltype`, `a` means "no action", and `r` means "restrict".
    expect(
      keys.filter(({ onDelete, onUpdate }) => !['a', 'r'].includes(onDelete) || onUpdate !== 'a'),
    ).toEqual([]);
  });

  test('includes the environment in every unique index on a tenant table', async () => {
    const indexes = await rows<{ name: string; source: string; columns: string[] }>(
      `SELECT i.relname AS name, t.relname AS source, (SELECT array_agg(a.attname::text ORDER BY k.place) FROM unnest(x.indkey) WITH ORDINALITY k(number, place), pg_attribute a WHERE a.attrelid = t.oid AND a.attnum = k.number) AS columns
       FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
       WHERE x.indisunique AND t.relnamespace = 'public'::regnamespace`,
    );
    const tenant = indexes.filter(({ source }) => globalTables[source] === undefined);
    expect(tenant.filter(({ columns }) => columns[0] !== 'environmentId')).toEqual([]);
  });

  test('stores every timestamp as timestamptz(3)', async () => {
    const times = await rows(
      `SELECT table_name, column_name, data_type, datetime_precision FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name <> '_prisma_migrations' AND data_type ~ '^(timestamp|date|time)'
         AND (data_type <> 'timestamp with time zone' OR datetime_precision <> 3)`,
    );
    expect(times).toEqual([]);
  });

  test('contains no column defaults in tenant tables and no triggers', async () => {
    const defaults = await rows<{ table_name: string; column_name: string; column_default: string }>(
      `SELECT table_name, column_name, column_default FROM information_schema.columns WHERE table_schema = 'public' AND column_default IS NOT NULL`,
    );
    expect(defaults.filter(({ table_name }) => globalTables[table_name] === undefined)).toEqual([]);
    const triggers = await rows(
      `SELECT g.tgname FROM pg_trigger g JOIN pg_class t ON t.oid = g.tgrelid
       WHERE NOT g.tgisinternal AND g.tgname <> '${watchTrigger}' AND t.relnamespace = 'public'::regnamespace`,
    );
    expect(triggers).toEqual([]);
  });

  test('enforces that active objects are unique with partial unique indexes', async () => {
    const found = await rows<{ indexname: string }>(
      `SELECT indexname FROM pg_indexes WHERE schemaname = 'public' AND indexdef ~ 'UNIQUE' AND indexdef ~ 'WHERE' ORDER BY 1`,
    );
    expect(found.map(({ indexname }) => indexname)).toEqual(
      expect.arrayContaining([
        'AddonActivation_one_active',
        'Addon_living_feature',
        'Addon_living_slug',
        'Event_one_per_cause',
        'ExampleRun_one_unfinished',
        'Member_one_owner',
        'PlanPrice_one_default',
        'Plan_one_rank_per_group',
        'Subscription_one_blocking',
        'Subscription_one_pending',
        'TestClockRun_one_unfinished',
      ]),
    );
  });
});

test('the models without an environment are exactly the global tables', () => {
  expect([...globalModels, '_prisma_migrations'].sort()).toEqual(Object.keys(globalTables).sort());
  const { models } = (
    getDatamodel() as unknown as { datamodel: { models: Record<string, { fields: { name: string }[] }> } }
  ).datamodel;
  const without = Object.entries(models).filter(
    ([, { fields }]) => !fields.some(({ name }) => name === 'environmentId'),
  );
  // Global lookup tables, which map a key or a lease to its environment, store the environment's ID as a value.
  expect(without.map(([name]) => name).filter((name) => globalTables[name] === undefined)).toEqual([]);
});

describe("an environment's Prisma client", () => {
  const createdAt = new Date('2026-01-01T00:00:00.000Z');
  const feature = (id: string) => ({
    id,
    seq: 1n,
    code: id,
    searchText: 'seats',
    name: id,
    type: 'boolean' as const,
    description: null,
    unitName: null,
    createdAt,
    updatedAt: createdAt,
    deletedAt: null,
    meters: [],
  });

  /** Returns the client without types, to simulate a caller that ignores them. */
  const untyped = (client: TenantClient) =>
    client as unknown as Record<string, Record<string, (args?: object) => Promise<unknown>>>;
  const call = (model: string, operation: string, args: object) => async () =>
    untyped(tenantClient(database.prisma, own))[model]?.[operation]?.(args);

  test("reads and writes only its environment's rows, in every operation", async () => {
    const mine = tenantClient(database.prisma, own);
    const theirs = tenantClient(database.prisma, other);
    await mine.feature.create({ data: feature('ftr_same') });
    await theirs.feature.create({ data: { ...feature('ftr_same'), name: 'theirs' } });
    expect(await mine.feature.findMany({})).toMatchObject([{ environmentId: own, name: 'ftr_same' }]);
    expect(await mine.feature.count({})).toBe(1);
    expect(await mine.feature.update({ where: { id: 'ftr_same' }, data: { name: 'changed' } })).toHaveLength(
      1,
    );
    expect(await theirs.feature.findFirst({ where: { id: 'ftr_same' } })).toMatchObject({ name: 'theirs' });
    expect(
      await mine.feature.deleteMany({ where: { OR: [{ id: 'ftr_same' }, { name: 'theirs' }] } }),
    ).toEqual({ count: 1 });
    expect(await theirs.feature.count({})).toBe(1);
  });

  const relation = { connect: { environmentId_id: { environmentId: 'env_other', id: 'pln_a' } } };
  const rejected: readonly (readonly [string, string, string, object])[] = [
    [
      'an environment in data',
      'feature',
      'create',
      { data: { ...feature('ftr_a'), environmentId: 'env_other' } },
    ],
    [
      'an environment in a change',
      'feature',
      'update',
      { where: { id: 'ftr_a' }, data: { environmentId: 'env_other' } },
    ],
    ['an environment in a filter', 'feature', 'findMany', { where: { environmentId: 'env_other' } }],
    [
      'an environment deep in a filter',
      'feature',
      'count',
      { where: { OR: [{ NOT: { environmentId: 'env_other' } }] } },
    ],
    [
      'a compound key',
      'feature',
      'findFirst',
      { where: { environmentId_id: { environmentId: 'env_other', id: 'ftr_a' } } },
    ],
    ['connect', 'planPrice', 'update', { where: { id: 'pp_a' }, data: { plan: relation } }],
    ['connectOrCreate', 'planPrice', 'create', { data: { plan: { connectOrCreate: {} } } }],
    ['disconnect', 'planPrice', 'update', { where: { id: 'pp_a' }, data: { plan: { disconnect: true } } }],
    ['nested writes', 'plan', 'create', { data: { prices: { create: [{ id: 'pp_a' }] } } }],
    ['a column that does not exist', 'feature', 'create', { data: { nonsense: 1 } }],
    ['a list where one row is made', 'feature', 'create', { data: [feature('ftr_a')] }],
  ];

  test.each(rejected)('rejects %s', async (_what, model, operation, args) => {
    await expect(call(model, operation, args)()).rejects.toThrow();
    expect(await tenantClient(database.prisma, own).feature.count({})).toBe(0);
  });

  test.each([
    'upsert',
    'delete',
    'updateMany',
    'aggregate',
    'groupBy',
    'findUnique',
    'createManyAndReturn',
    'fields',
    'constructor',
  ])("doesn't offer the operation %s", async (operation) => {
    await expect(call('feature', operation, {})()).rejects.toThrow(
      `Feature.${operation} is not offered inside an environment.`,
    );
  });

  test.each([
    ...globalModels.map((name) => `${name.charAt(0).toLowerCase()}${name.slice(1)}`),
    '$queryRaw',
    '$transaction',
    'nothing',
  ])("doesn't give access to %s", async (model) => {
    await expect(call(model, 'findMany', {})()).rejects.toThrow('is not a table of an environment.');
  });

  test("can't store a foreign key to another environment, because the database rejects it", async () => {
    const theirs = tenantClient(database.prisma, other);
    await theirs.customer.create({
      data: {
        id: 'cus_theirs',
        seq: 1n,
        externalId: null,
        email: 'a@b.test',
        emailKey: 'a@b.test',
        fullName: '',
        searchText: 'a@b.test',
        taxDocument: null,
        documentType: null,
        timezone: 'UTC',
        address: null,
        country: null,
        requireBudget: false,
        hasMoneyOnAccount: false,
        sortMrr: 0n,
        sortOutstanding: 0n,
        sortPaid: 0n,
        sortStatus: 0n,
        sortPlan: '',
        metadata: {},
        createdAt,
        updatedAt: createdAt,
        deletedAt: null,
      },
    });
    const theirsFromHere = database.query(
      `INSERT INTO "PaymentMethod" ("environmentId", id, seq, "customerId", provider, instrument, reference, brand, last4, "expMonth", "expYear", "createdAt")
       VALUES ($1, 'pm_a', 1, 'cus_theirs', 'platform', 'card', 'vault', 'visa', '4242', 12, 2099, now())`,
      [own],
    );
    await expect(theirsFromHere).rejects.toMatchObject({ code: '23503' });
  });
});

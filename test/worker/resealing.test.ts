import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { modelFields } from '../../src/platform/db/datamodel.ts';
import { deriveSecrets, loadSecrets, type Secrets } from '../../src/platform/secrets.ts';
import type { App, Context } from '../../src/request/context.ts';
import { resealOld } from '../../src/worker/housekeeping.ts';
import { sealedColumns } from '../../src/worker/sealed-columns.ts';
import { closeApp, MovableClock, newEnvironment, openApp } from '../support/billing-world.ts';
import { bankAccount } from '../support/payouts.ts';

// Tests that encrypted values can always be decrypted while APP_SECRET is being changed.

const [first, second] = [
  'the first secret, of thirty-two letters',
  'the second secret, of thirty-two letters',
];
const wall = new MovableClock('2027-03-01T10:00:00.000Z');
let app: App;
beforeAll(async () => {
  app = await openApp(wall);
});
beforeEach(async () => {
  for (const { table } of sealedColumns.toReversed())
    await app.database.query(`DELETE FROM "${table}" WHERE "environmentId" <> ''`);
});
afterAll(() => closeApp(app));

const withSecrets = (secrets: Secrets): App => ({ ...app, secrets });
const [before, rotated, after] = [
  deriveSecrets(first),
  deriveSecrets(second, [first]),
  deriveSecrets(second),
];

/** Inserts a row into each table with encrypted columns, with a distinct string in every encrypted column. */
async function fill(ctx: Context, id: string, secrets: Secrets): Promise<void> {
  const createdAt = wall.now();
  const sealed = (column: string): string => secrets.encrypt(`${id} ${column}`);
  await ctx.db.paymentConnection.create({
    data: {
      id: `con_${id}`,
      seq: 1n,
      provider: 'stripe',
      name: 'Own',
      publishableKey: 'pk_test_1',
      secretKey: sealed('secretKey'),
      webhookSecret: sealed('webhookSecret'),
      isDefault: false,
      createdAt,
      updatedAt: createdAt,
    },
  });
  const endpoint = {
    url: 'https://shop.test/hook',
    events: ['payout.paid'],
    description: null,
    isActive: true,
    apiVersion: '2026-08-27',
  };
  await ctx.db.webhook.create({
    data: {
      id: `whe_${id}`,
      seq: 2n,
      ...endpoint,
      sealedSecret: sealed('sealedSecret'),
      previousSecret: sealed('previousSecret'),
      previousSecretUntil: createdAt,
      failedInRow: 0,
      createdAt,
      updatedAt: createdAt,
      deletedAt: null,
    },
  });
  await ctx.db.payoutBankAccount.create({
    data: {
      id: `pba_${id}`,
      seq: 3n,
      ...bankAccount,
      isDefault: false,
      sealedNumber: sealed('sealedNumber'),
      sealedRoutingNumber: sealed('sealedRoutingNumber'),
      status: 'active',
      providerExternalAccountId: null,
      createdAt,
    },
  });
  const submitted = {
    country: 'US',
    businessName: 'Acme',
    businessType: 'company',
    personName: 'Ada',
    bankAccountId: `pba_${id}`,
  } as const;
  await ctx.db.payoutVerification.create({
    data: {
      id: `ver_${id}`,
      seq: 4n,
      status: 'rejected',
      ...submitted,
      documentKind: 'passport',
      documentLast4: '5678',
      sealedDetails: sealed('sealedDetails'),
      reasons: [],
      createdAt,
      decidedAt: null,
    },
  });
}

type Stored = { readonly id: string; readonly column: string; readonly value: string | null };

/** Returns the values of all encrypted columns, in the order of the column list. */
async function stored(): Promise<Stored[]> {
  const rows = await Promise.all(
    sealedColumns.map(({ table, column }) =>
      app.database.query<Stored>(
        `SELECT substr(t.id, 5) AS id, '${column}' AS column, t."${column}" AS value FROM "${table}" t WHERE t."environmentId" <> '' ORDER BY t.id`,
      ),
    ),
  );
  return rows.flat();
}

const opened = async (secrets: Secrets): Promise<string[]> =>
  (await stored()).map(({ value }) => secrets.decrypt(value ?? ''));
const texts = async (): Promise<string[]> => (await stored()).map(({ id, column }) => `${id} ${column}`);

test('re-encryption replaces values encrypted with a previous secret, which makes the previous secret unnecessary', async () => {
  const [own, other] = [await newEnvironment(app), await newEnvironment(app)];
  await fill(own, 'a', before);
  await fill(other, 'b', before);
  await fill(other, 'c', rotated);
  expect(await opened(rotated)).toEqual(await texts());
  expect(await resealOld(withSecrets(rotated))).toBe(14);
  expect(await opened(after)).toEqual(await texts());
  const sealed = await stored();
  expect(await resealOld(withSecrets(rotated))).toBe(0);
  expect(await stored()).toEqual(sealed);
  // Checks that no other text column contains a value encrypted with the old secret.
  const tables = [...modelFields].flatMap(([table, fields]) =>
    fields
      .filter(({ kind, type, isList }) => kind !== 'object' && type === 'String' && !isList)
      .map(({ name }) => ({ table, name })),
  );
  expect(tables.length).toBeGreaterThan(300);
  for (const { table, name } of tables) {
    const found = await app.database.query(
      `SELECT 1 FROM "${table}" t WHERE starts_with(t."${name}"::text, $1)`,
      [before.currentMark],
    );
    expect([table, name, found.length]).toEqual([table, name, 0]);
  }
});

test('re-encryption covers every column whose name marks it as encrypted', () => {
  const named = [...modelFields].flatMap(([table, fields]) =>
    fields.filter(({ name }) => name.startsWith('sealed')).map(({ name }) => `${table}.${name}`),
  );
  const listed = sealedColumns.map(({ table, column }) => `${table}.${column}`);
  expect(named.filter((one) => !listed.includes(one))).toEqual([]);
});

test('re-encryption tolerates concurrent workers and concurrent updates of values', async () => {
  const ctx = await newEnvironment(app);
  for (const id of ['a', 'b', 'c', 'd']) await fill(ctx, id, before);
  const replaced = rotated.encrypt('a secretKey');
  const [one, two, three] = await Promise.all([
    resealOld(withSecrets(rotated)),
    resealOld(withSecrets(rotated)),
    resealOld(withSecrets(rotated)),
    ctx.db.paymentConnection.update({ where: { id: 'con_a' }, data: { secretKey: replaced } }),
  ]);
  const sum = one + two + three;
  expect(sum).toBeGreaterThanOrEqual(27);
  expect(sum).toBeLessThanOrEqual(28);
  expect(await opened(after)).toEqual(await texts());
  expect((await stored()).find(({ id, column }) => id === 'a' && column === 'secretKey')?.value).toBe(
    replaced,
  );
});

test('re-encryption adds the key ID to values from the first releases', async () => {
  const ctx = await newEnvironment(app);
  await fill(ctx, 'a', before);
  await ctx.db.webhook.update({
    where: {},
    data: { sealedSecret: before.encrypt('a sealedSecret').slice(before.currentMark.length) },
  });
  expect(await resealOld(withSecrets(before))).toBe(1);
  expect((await stored()).every(({ value }) => value?.startsWith(before.currentMark))).toBe(true);
  expect(await opened(before)).toEqual(await texts());
});

test("re-encryption skips and reports values that can't be decrypted", async () => {
  const ctx = await newEnvironment(app);
  await fill(ctx, 'a', deriveSecrets('a secret that no one has any more, alas'));
  await fill(ctx, 'b', before);
  const lost = (await stored()).filter(({ id }) => id === 'a');
  const said: unknown[] = [];
  const log = Object.assign(Object.create(app.log), { error: (details: unknown) => void said.push(details) });
  expect(await resealOld({ ...withSecrets(rotated), log })).toBe(7);
  expect(said).toEqual([{ unreadable: 7 }]);
  expect((await stored()).filter(({ id }) => id === 'a')).toEqual(lost);
});

test('re-encryption skips missing values and the empty secret of a deleted endpoint', async () => {
  const ctx = await newEnvironment(app);
  await fill(ctx, 'a', before);
  await ctx.db.webhook.update({ where: {}, data: { sealedSecret: '', previousSecret: null } });
  await ctx.db.paymentConnection.update({ where: {}, data: { webhookSecret: null } });
  expect(await resealOld(withSecrets(rotated))).toBe(4);
});

test('re-encryption treats a generated, stored secret as a previous secret once the settings provide a secret', async () => {
  const kept = await loadSecrets(app.database, { appSecret: undefined, appSecretPrevious: [] });
  const again = await loadSecrets(app.database, { appSecret: undefined, appSecretPrevious: [first] });
  expect(again.currentMark).toBe(kept.currentMark);
  const provided = await loadSecrets(app.database, { appSecret: second, appSecretPrevious: [first] });
  expect(provided.currentMark).toBe(after.currentMark);
  expect([provided.decrypt(kept.encrypt('kept')), provided.decrypt(before.encrypt('first'))]).toEqual([
    'kept',
    'first',
  ]);
});

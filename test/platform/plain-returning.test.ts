import { afterAll, beforeAll, expect, it } from 'vitest';
import { modelFields } from '../../src/platform/db/datamodel.ts';
import { withPlainReturning } from '../../src/platform/db/patches/plain-returning.ts';
import type { Database } from '../../src/platform/db/pool.ts';
import { freshDatabase } from '../support/template.ts';

let opened: Awaited<ReturnType<typeof freshDatabase>>;
let database: Database;
beforeAll(async () => {
  opened = await freshDatabase();
  database = opened.database;
});
afterAll(async () => {
  await database.close();
  await opened.drop();
});

it('withPlainReturning removes casts only from the RETURNING clause of writes', () => {
  const sql =
    'UPDATE "A" SET "kind" = "b"::text WHERE 1=1 RETURNING "A"."id", "A"."kind"::text AS "kind", "A"."c"';
  expect(withPlainReturning({ sql, args: [1] })).toEqual({
    sql: 'UPDATE "A" SET "kind" = "b"::text WHERE 1=1 RETURNING "A"."id", "A"."kind" AS "kind", "A"."c"',
    args: [1],
  });
  const read = { sql: 'SELECT "A"."kind"::text FROM "A"' };
  expect(withPlainReturning(read)).toBe(read);
});

it('withPlainReturning preserves the enum values that Prisma reads from creates and updates', async () => {
  const createdAt = new Date('2026-01-01T00:00:00.000Z');
  const data = { id: 'env_a', organizationId: 'org_a', mode: 'sandbox', createdAt } as const;
  await database.prisma.organization.create({
    data: {
      id: 'org_a',
      name: 'A',
      language: 'es',
      customerEmails: true,
      mutedEmailKinds: ['receipt'],
      cardPromotions: false,
      oneTrialPerCustomer: false,
      refundTakesBack: false,
      creditOrder: 'oldest',
      collectByPayer: false,
      collectionDueDays: 3,
      retryDays: [1, 3, 5, 7],
      lastRetryAction: 'cancel',
      isProvisioned: true,
      reportingCurrency: 'USD',
      createdAt,
      updatedAt: createdAt,
    },
  });
  expect(await database.prisma.environment.create({ data })).toEqual(data);
  const changed = await database.prisma.organization.updateManyAndReturn({ data: { language: 'en' } });
  expect(changed).toMatchObject([{ id: 'org_a', language: 'en', mutedEmailKinds: ['receipt'] }]);
});

it("the models contain no enum lists, because the driver can't read them", () => {
  const lists = [...modelFields.values()].flat().filter(({ kind, isList }) => kind === 'enum' && isList);
  expect(lists).toEqual([]);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anchored } from '../../src/platform/db/bulk.ts';
import { isAskedByProduct, violations } from '../support/distributable.ts';
import { needsOneServer, plansAreRead } from '../support/nodes.ts';
import { freshDatabase } from '../support/template.ts';

// Tests the checks that the test run applies to every statement. The checks ensure that the statement can run on a distributed database.

let opened: Awaited<ReturnType<typeof freshDatabase>>;
beforeAll(async () => {
  opened = await freshDatabase();
});
afterAll(async () => {
  await opened.database.close();
  await opened.drop();
});

const reasonsOf = async (text: string): Promise<readonly string[]> =>
  (await violations(opened.database, [text])).flatMap(({ reasons }) => reasons);

const counter = 'UPDATE "EnvironmentCounter" SET seq = seq + $2 WHERE "environmentId" = $1';

describe.skipIf(needsOneServer(plansAreRead))('the check for distributable statements', () => {
  test.each([
    ['SELECT id FROM "Customer" WHERE "environmentId" = $1 AND email = $2'],
    [
      'SELECT c.id FROM "Customer" c JOIN "Invoice" i ON i."environmentId" = c."environmentId" AND i."customerId" = c.id WHERE c."environmentId" = $1',
    ],
    ['SELECT id FROM "Organization" WHERE id = $1'],
    [`${counter} RETURNING xmin AS stamp`],
    [`INSERT INTO "Setting" (name, value) SELECT n, n FROM unnest($1::text[]) AS r(n)`],
    [
      `INSERT INTO "EmailCursor" ("environmentId", position) ${anchored('r.position', 'unnest($2::bigint[]) AS r(position)')}`,
    ],
  ])('accepts %s', async (text) => {
    expect(await reasonsOf(text)).toEqual([]);
  });

  test.each([
    ['SELECT id FROM "Customer" WHERE email = $1', 'reads Customer of more than one environment'],
    [
      'SELECT i.id FROM "Customer" c JOIN "Invoice" i ON i."customerId" = c.id WHERE c."environmentId" = $1',
      'reads Invoice of more than one environment',
    ],
    [
      'SELECT c.id FROM unnest($1::text[]) AS r(id) JOIN "Customer" c ON c."environmentId" = r.id',
      'reads Customer of more than one environment',
    ],
    [`${counter} AND xmin = $3`, 'writes by what one server numbers'],
    ['SELECT ctid FROM "Customer" WHERE "environmentId" = $1', 'names what one server numbers'],
    [
      `UPDATE "WebhookDelivery" SET "attemptLog" = "attemptLog" || jsonb_build_array(error) WHERE "environmentId" = $1`,
      'calls a function on columns whose answer is not always the same, in an update or a deletion',
    ],
    [
      `UPDATE "UsageEvent" SET "createdAt" = "createdAt" - interval '1 hour' WHERE "environmentId" = $1`,
      'calls a function on columns whose answer is not always the same, in an update or a deletion',
    ],
    [
      `UPDATE "Plan" SET "sortOrder" = CASE id WHEN $2 THEN 0 ELSE 1 END WHERE "environmentId" = $1`,
      'compares with what stands behind CASE, in a write',
    ],
    [`${counter} AND clock_timestamp() > $3`, 'calls clock_timestamp in a write'],
    [
      `UPDATE "Deadline" SET attempts = 1 WHERE "environmentId" = $1 RETURNING "state"::text`,
      'casts an enum in what it returns',
    ],
    [
      'INSERT INTO "EmailCursor" ("environmentId", position) SELECT $1, r.position FROM unnest($2::bigint[]) AS r(position)',
      'inserts rows without an anchor',
    ],
    [
      `WITH made AS (INSERT INTO "EmailCursor" ("environmentId", position) VALUES ($1, 1) RETURNING 1) SELECT count(*) FROM made`,
      'inserts inside of a statement',
    ],
    [
      `SELECT id FROM "Customer" WHERE "environmentId" = $1 AND email <> 'Customer_pkey'`,
      'names a constraint, whose shards have other names',
    ],
  ])('rejects %s', async (text, reason) => {
    expect(await reasonsOf(text)).toEqual([reason]);
  });
});

test('isAskedByProduct distinguishes product statements from test statements', () => {
  const recording = 'at told (/p/test/support/recording.ts:1:1)';
  const store = 'at read (/p/src/modules/customers/store.ts:1:1)';
  const own = 'at t (/p/test/modules/customers/list.test.ts:1:1)';
  const context = 'at get sql (/p/src/request/context.ts:1:1)';
  expect(isAskedByProduct([recording, context, store, own].join('\n'))).toBe(true);
  expect(isAskedByProduct([recording, context, own].join('\n'))).toBe(false);
  expect(isAskedByProduct(recording)).toBe(false);
});

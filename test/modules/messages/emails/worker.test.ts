import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emailLeases, findEmailWork } from '../../../../src/modules/messages/emails/store.ts';
import { sendEmails } from '../../../../src/modules/messages/emails/worker/batch.ts';
import { fanOutEmails } from '../../../../src/modules/messages/emails/worker/fan-out.ts';
import { advanceClock } from '../../../../src/modules/sandbox/test-clock/advance.ts';
import type { App, Context } from '../../../../src/request/context.ts';
import { removeOld } from '../../../../src/worker/retention.ts';
import {
  addCustomers,
  addPlan,
  closeApp,
  fresh,
  MovableClock,
  newEnvironment,
  openApp,
  subscribe,
  workOff,
} from '../../../support/billing-world.ts';

// Emails during a clock run, and emails stored as files. Clock runs don't wait for emails, and the number of files is limited.

const wall = new MovableClock('2027-01-31T09:30:00.000Z');
let app: App;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'quittance-emails-'));
  app = await openApp(wall, { DATA_DIR: dataDir, MAIL_FILES: '4' });
});
afterAll(async () => {
  await closeApp(app);
  await rm(dataDir, { recursive: true });
});

/** Creates an environment with a customer who has paid for a monthly plan. */
async function world(): Promise<Context> {
  const ctx = await newEnvironment(app);
  await addPlan(ctx, 'monthly', 'monthly', 1_900n);
  const [id = ''] = await addCustomers(ctx, 'c', 1);
  await subscribe(ctx, id, 'pln_monthly');
  return ctx;
}

const isFound = async (ctx: Context): Promise<boolean> =>
  (await findEmailWork(app.database.query, wall.now(), 100, true)).some(
    ({ environmentId }) => environmentId === ctx.environment.id,
  );

/** Runs the email worker once for an environment. Returns the number of emails that it picked up. */
async function visit(ctx: Context): Promise<number> {
  const key = { environmentId: ctx.environment.id };
  await emailLeases.lease(app.database.query, key, 'test', wall.now(), new Date('2999-01-01T00:00:00Z'));
  await fanOutEmails(ctx, 'test', false);
  let taken = 0;
  for (let batch = await sendEmails(ctx, 'test'); batch > 0; batch = await sendEmails(ctx, 'test'))
    taken += batch;
  return taken;
}

test("the email worker delays an environment's emails until its clock run ends, including emails from before the run", async () => {
  const ctx = await world();
  expect(await isFound(ctx)).toBe(true);
  const { id } = await advanceClock(ctx, { advanceDays: 365 });
  expect(await isFound(ctx)).toBe(false);
  expect(await visit(ctx)).toBe(0);
  const pending = await ctx.db.emailNotification.findMany({ where: {}, orderBy: { seq: 'asc' } });
  expect(pending.map(({ kind, status, attempts }) => [kind, status, attempts])).toEqual([
    ['checkout', 'pending', 0],
    ['receipt', 'pending', 0],
  ]);
  await workOff(ctx, id);
  // The obsolete checkout email is canceled. Twelve more receipts were sent during the year.
  expect(await visit(await fresh(ctx))).toBe(14);
});

test('the email worker records every email if there is no mail server, and stores the newest emails as numbered files (MAIL_FILES)', async () => {
  const ctx = await world();
  const { id } = await advanceClock(ctx, { advanceDays: 200 });
  await workOff(ctx, id);
  expect(await visit(await fresh(ctx))).toBe(8);
  const notifications = await ctx.db.emailNotification.findMany({ where: {}, orderBy: { seq: 'asc' } });
  expect(notifications.map(({ status, subject }) => `${status} ${subject}`)).toEqual([
    'canceled null',
    ...Array(7).fill('sent [Test] Receipt from World'),
  ]);
  const folder = path.join(dataDir, 'mail', ctx.environment.id);
  const kept = notifications
    .slice(-4)
    .map(({ id: emailId, kind, seq }) => `${String(seq).padStart(12, '0')}-${kind}-${emailId}.eml`);
  expect((await readdir(folder)).sort()).toEqual(kept);
  const newest = await readFile(path.join(folder, kept.at(-1) ?? ''), 'utf8');
  expect(newest).toContain('To: c0@world.test');
  expect(newest).toContain('Subject: [Test] Receipt from World');
});

test('the email worker deletes emails and their files after EMAIL_RETENTION_DAYS, except for pending and newer emails', async () => {
  const ctx = await world();
  const { id } = await advanceClock(ctx, { advanceDays: 100 });
  await workOff(ctx, id);
  const begun = await fresh(ctx);
  await visit(begun);
  const files = async (): Promise<string[]> =>
    (await readdir(path.join(dataDir, 'mail', ctx.environment.id))).sort();
  const before = await files();
  expect(before).toHaveLength(4);
  const [first] = await ctx.db.emailNotification.findMany({ where: {}, orderBy: { seq: 'asc' } });
  await ctx.sql(
    `UPDATE "EmailNotification" SET "finishedAt" = NULL, status = 'pending', "nextAttemptAt" = $3 WHERE "environmentId" = $1 AND id = $2`,
    [first?.id, new Date('2999-01-01T00:00:00Z')],
  );
  // Creates an email one year later, when the other emails are 1 ms short of a year old.
  wall.set('2028-01-31T09:29:59.999Z');
  const { id: further } = await advanceClock(await fresh(ctx), { advanceDays: 30 });
  await workOff(ctx, further);
  expect(await visit(await fresh(ctx))).toBe(1);
  const kept = await files();
  expect(kept.slice(0, 3)).toEqual(before.slice(1));
  const remove = (days: string) =>
    removeOld({ ...app, config: { ...app.config, emailRetentionDays: Number(days) } }, 'emails');
  expect([await removeOld(app, 'emails'), await removeOld(app, 'emails')]).toEqual([0, 0]);
  wall.set('2028-01-31T09:30:00.000Z');
  expect(await remove('0')).toBe(0);
  // Four of the receipts belong to this environment. Emails from other tests in this file are just as old.
  expect(await removeOld(app, 'emails')).toBeGreaterThanOrEqual(4);
  const left = await ctx.db.emailNotification.findMany({ where: {}, orderBy: { seq: 'asc' } });
  expect(left.map(({ kind, status }) => [kind, status])).toEqual([
    ['checkout', 'pending'],
    ['receipt', 'sent'],
  ]);
  expect(await files()).toEqual(kept.slice(3));
  expect(await removeOld(app, 'emails')).toBe(0);
});

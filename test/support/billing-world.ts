import type { BillingInterval } from '../../src/domain/rows/enums.ts';
import { executeOne } from '../../src/engine/execute.ts';
import { createOrganization } from '../../src/modules/organization/organizations/create.ts';
import { type AdvanceInput, advanceClock } from '../../src/modules/sandbox/test-clock/advance.ts';
import type { RunRow } from '../../src/modules/sandbox/test-clock/store.ts';
import { requireRun } from '../../src/modules/sandbox/test-clock/store.ts';
import { subscriptionCreate } from '../../src/modules/subscriptions/subscriptions/mutations.ts';
import { takeNumbers } from '../../src/outbox/write.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { parseConfig } from '../../src/platform/config.ts';
import { type BulkRow, insertRows } from '../../src/platform/db/bulk.ts';
import type { Database } from '../../src/platform/db/pool.ts';
import { openLog } from '../../src/platform/log.ts';
import { deriveSecrets } from '../../src/platform/secrets.ts';
import { vaultCard } from '../../src/providers/sandbox.ts';
import { type App, type Context, systemContext } from '../../src/request/context.ts';
import { inTransaction } from '../../src/request/transaction.ts';
import { createApp } from '../../src/start.ts';
import { runClockBatch } from '../../src/worker/clock-run.ts';
import { recordingDatabase } from './recording.ts';
import { leaseDatabase } from './reused.ts';

/** Clock that a test can set to any time. */
export class MovableClock implements Clock {
  #now: Date;
  constructor(instant: string) {
    this.#now = new Date(instant);
  }
  now(): Date {
    return this.#now;
  }
  set(instant: string): void {
    this.#now = new Date(instant);
  }
}

const releases = new Map<Database, () => Promise<void>>();

/**
 * Opens an application without HTTP interfaces, with its own gateway and outbox. Tests that alter tables must pass a database that no other
 * test uses.
 */
export async function openApp(
  wall: Clock,
  settings: Record<string, string> = {},
  openDatabase: () => Promise<{ database: Database; release: () => Promise<void> }> = leaseDatabase,
): Promise<App> {
  const config = parseConfig({
    DATA_DIR: 'memory:',
    LOG_LEVEL: 'silent',
    DASHBOARD: 'off',
    PUBLIC_URL: 'https://bill.test',
    ...settings,
  });
  const { database, release } = await openDatabase();
  releases.set(database, release);
  const log = openLog('silent');
  const secrets = deriveSecrets('a secret of thirty-two characters');
  return createApp({ config, database, secrets, log, wall });
}

export const withSettings = (app: App, settings: Record<string, string>): App => ({
  ...app,
  config: parseConfig({
    DATA_DIR: 'memory:',
    LOG_LEVEL: 'silent',
    DASHBOARD: 'off',
    PUBLIC_URL: 'https://bill.test',
    ...settings,
  }),
});

export async function closeApp(app: App): Promise<void> {
  await app.pubsub.close();
  await app.database.close();
  await releases.get(app.database)?.();
}

/** Creates an organization with one environment. Returns its system context. */
export async function newEnvironment(app: App, mode: 'live' | 'sandbox' = 'sandbox'): Promise<Context> {
  const made = await createOrganization(app, { name: 'World' });
  return systemContext(app, made[mode].id);
}

/** Returns a new system context with the environment's current state. */
export const fresh = (ctx: Context): Promise<Context> => systemContext(ctx.app, ctx.environment.id);

/** Creates a plan with one default price in US cents. */
export async function addPlan(
  ctx: Context,
  code: string,
  interval: BillingInterval,
  priceMinor: bigint,
  trialDays = 0,
): Promise<{ planId: string; priceId: string }> {
  const createdAt = new Date('2020-01-01T00:00:00.000Z');
  const planId = `pln_${code}`;
  const priceId = `prc_${code}`;
  await inTransaction(ctx, async (tx) => {
    if (tx.transaction === null) throw new Error('No transaction.');
    const { seq } = await takeNumbers(tx.transaction.query, tx.environment.id, { seq: 3 });
    const plan: BulkRow<'Plan'> = {
      id: planId,
      seq,
      name: code,
      code,
      searchText: `${code}\n${code}`,
      description: null,
      consumptionModel: 'metered',
      isPublic: true,
      isDefault: false,
      isFree: false,
      blockOnExhaustion: false,
      pools: [],
      sortOrder: 0,
      planGroupId: null,
      metadata: {},
      createdAt,
      updatedAt: createdAt,
      deletedAt: null,
    };
    const price: BulkRow<'PlanPrice'> = {
      id: priceId,
      seq: seq + 1n,
      planId,
      billingInterval: interval,
      priceMinor,
      isDefault: true,
      trialDays,
      includedBalanceRate: null,
      includedCredits: null,
      includedUnits: {},
      minimumMinor: null,
      inheritsFromPriceId: null,
      introductoryOfferId: null,
      metadata: {},
      createdAt,
      updatedAt: createdAt,
      archivedAt: null,
    };
    const version: BulkRow<'PlanPriceVersion'> = {
      id: `ppv_${code}`,
      seq: seq + 2n,
      priceId,
      validFrom: createdAt,
      priceMinor,
      trialDays,
      includedBalanceRate: null,
      includedCredits: null,
      includedUnits: {},
      minimumMinor: null,
    };
    await insertRows(tx.sql, 'Plan', [plan]);
    await insertRows(tx.sql, 'PlanPrice', [price]);
    await insertRows(tx.sql, 'PlanPriceVersion', [version]);
  });
  return { planId, priceId };
}

/** Creates customers with the external IDs `<prefix>0`, `<prefix>1`, and so on. Returns their IDs. */
export async function addCustomers(ctx: Context, prefix: string, count: number): Promise<string[]> {
  return inTransaction(ctx, async (tx) => {
    if (tx.transaction === null) throw new Error('No transaction.');
    const { seq } = await takeNumbers(tx.transaction.query, tx.environment.id, { seq: count });
    const now = tx.clock.now();
    const rows = Array.from(
      { length: count },
      (_none, index): BulkRow<'Customer'> => ({
        id: `cus_${prefix}${index}`,
        seq: seq + BigInt(index),
        externalId: `${prefix}${index}`,
        email: `${prefix}${index}@world.test`,
        emailKey: `${prefix}${index}@world.test`.toLowerCase(),
        fullName: `Customer ${prefix}${index}`,
        searchText:
          `customer ${prefix}${index}\n${prefix}${index}@world.test\n${prefix}${index}`.toLowerCase(),
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
        createdAt: now,
        updatedAt: now,
        deletedAt: null,
      }),
    );
    await insertRows(tx.sql, 'Customer', rows);
    return rows.map(({ id }) => id);
  });
}

export const cards = {
  pays: '4242424242424242',
  declines: '4000000000000002',
  declinesLater: '4000000000000341',
  authenticates: '4000002500003155',
};

export const card = (number: string) => ({ number, expMonth: 12, expYear: 2099, cvc: '123' });

/** Creates a paid, active subscription for a customer. Returns its ID. */
export async function subscribe(
  ctx: Context,
  customerId: string,
  planId: string,
  number: string = cards.pays,
): Promise<string> {
  const { id } = await subscriptionCreate.execute(ctx, { customerId, planId });
  // Calls the engine directly, because the page rejects test cards in the live environment and no other gateway is available.
  const method = vaultCard(card(number), ctx.wall.now());
  await executeOne(ctx, customerId, {
    kind: 'checkout.pay',
    subscriptionId: id,
    method,
    billingAddress: null,
    taxDocument: null,
    abandoned: null,
  });
  return id;
}

/** Processes up to `maxBatches` batches of a clock run in this process. Returns the resulting run. */
export async function workOff(
  ctx: Context,
  runId: string,
  batchSize = 500,
  maxBatches = 100_000,
): Promise<RunRow> {
  for (let batch = 0; batch < maxBatches; batch++)
    if ((await runClockBatch(await fresh(ctx), batchSize)).looked === 0) break;
  return requireRun(ctx, runId);
}

/** Advances the clock and processes the whole run. */
export async function advance(ctx: Context, input: AdvanceInput, batchSize = 500): Promise<RunRow> {
  const { id } = await advanceClock(await fresh(ctx), input);
  return workOff(ctx, id, batchSize);
}

const queries = {
  invoices: `SELECT i.number, c."externalId", i.status, i.type, i.total, i."periodStart", i."periodEnd", i."issueDate", i."paidAt"
    FROM "Invoice" i JOIN "Customer" c ON c."environmentId" = $1 AND c.id = i."customerId" WHERE i."environmentId" = $1 ORDER BY i.seq`,
  lines: `SELECT i.number, l.position, l."lineType", l.amount FROM "InvoiceLine" l JOIN "Invoice" i ON i."environmentId" = $1 AND i.id = l."invoiceId"
    WHERE l."environmentId" = $1 ORDER BY i.number, l.position`,
  transactions: `SELECT c."externalId", t.status, t."amountMinor", t."declineCode", t."paidAt", t."createdAt" FROM "Transaction" t
    JOIN "Customer" c ON c."environmentId" = $1 AND c.id = t."customerId" WHERE t."environmentId" = $1 ORDER BY t.seq`,
  ledger: `SELECT c."externalId", l.fact, l."debitAccount", l."creditAccount", l."amountMinor", l."occurredAt" FROM "LedgerTransfer" l
    JOIN "Customer" c ON c."environmentId" = $1 AND c.id = l."customerId" WHERE l."environmentId" = $1 ORDER BY l.seq`,
  events: `SELECT e.position, e.kind, c."externalId", e."occurredAt", e.data->>'invoiceNumber' AS number FROM "Event" e
    JOIN "Customer" c ON c."environmentId" = $1 AND c.id = e."customerId" WHERE e."environmentId" = $1 ORDER BY e.position`,
  subscriptions: `SELECT c."externalId", s.status, s."periodStart", s."periodEnd", s."canceledAt", s."dunningAttempts" FROM "Subscription" s
    JOIN "Customer" c ON c."environmentId" = $1 AND c.id = s."customerId" WHERE s."environmentId" = $1 ORDER BY s.seq`,
  deadlines: `SELECT d.kind, c."externalId", d."dueAt", d.state FROM "Deadline" d JOIN "Customer" c ON c."environmentId" = $1 AND c.id = d."customerId"
    WHERE d."environmentId" = $1 ORDER BY d."dueAt", d.rank, d."subjectSeq", d.id`,
} as const;

/**
 * Returns all data that must be the same after different clock runs: documents, numbers, amounts, and events in order. Objects are
 * identified by their external ID.
 */
export async function portrait(ctx: Context): Promise<Record<keyof typeof queries, unknown[]>> {
  const entries = [];
  for (const [name, text] of Object.entries(queries)) entries.push([name, await ctx.sql(text)]);
  return Object.fromEntries(entries);
}

/**
 * Records all statements sent to the driver, inside and outside transactions. `waits` contains only statements that were sent while no
 * response was pending, so its length is the number of round trips.
 */
export function recording(app: App): { app: App; statements: string[]; waits: string[] } {
  const statements: string[] = [];
  const waits: string[] = [];
  const database = recordingDatabase(app.database, (text, isWaitedFor) => {
    statements.push(text);
    if (isWaitedFor) waits.push(text);
  });
  return { app: { ...app, database }, statements, waits };
}

import { LRUCache } from 'lru-cache';
import { specificError } from '../domain/errors/errors.ts';
import { dayMs } from '../domain/time/period.ts';
import { takeUses } from '../platform/use-windows.ts';
import type { App, Context } from '../request/context.ts';

// Quotas of free sandboxes, which anyone can create (PLT-68).

/** Maximum cache duration of a sandbox's row count in a process. */
const knownMs = 5_000;
const maxKnown = 10_000;

const rowsKnown = new WeakMap<App, LRUCache<string, number>>();

const knownBy = (app: App): LRUCache<string, number> =>
  rowsKnown.getOrInsertComputed(app, () => new LRUCache({ max: maxKnown, ttl: knownMs }));

/** Returns true if quotas apply: in a sandbox of an organization that was created through self-service. */
export const isFreeSandbox = ({ environment }: Pick<Context, 'environment'>): boolean =>
  environment.isProvisioned && !environment.livemode;

/** Returns true if the organization has charged a customer in the live environment, which ends all quotas. */
async function hasCharged({ app, environment, transaction }: Context): Promise<boolean> {
  const query = transaction?.query ?? app.database.query;
  const [live] = await query<{ id: string }>(
    `SELECT id FROM "Environment" WHERE "organizationId" = $1 AND mode = 'live'`,
    [environment.organizationId],
  );
  const found = await query(
    `SELECT 1 FROM "Transaction" WHERE "environmentId" = $1 AND status = 'succeeded' LIMIT 1`,
    [live?.id ?? ''],
  );
  return found.length > 0;
}

/**
 * Returns the number of rows and events that an environment has written, including deleted rows. Reads
 * counters, so that no table is scanned, and caches the number.
 */
async function rowsWritten(ctx: Context): Promise<number> {
  const { app, environment } = ctx;
  const known = knownBy(app).get(environment.id);
  if (known !== undefined) return known;
  const [row] = await ctx.sql<{ rows: bigint }>(
    'SELECT seq + "eventPosition" AS rows FROM "EnvironmentCounter" WHERE "environmentId" = $1',
  );
  const rows = Number(row?.rows ?? 0n);
  // Don't cache the row count if it's close to the quota.
  if (rows < app.config.sandboxRows * 0.9) knownBy(app).set(environment.id, rows);
  return rows;
}

/**
 * Returns true if the environment may write more rows. False for a free sandbox that has written
 * SANDBOX_ROWS rows. Detects an exceeded limit within 5 seconds.
 */
export async function hasRowQuota(ctx: Context): Promise<boolean> {
  const { sandboxRows } = ctx.app.config;
  if (sandboxRows === 0 || !isFreeSandbox(ctx) || (await rowsWritten(ctx)) < sandboxRows) return true;
  return hasCharged(ctx);
}

/** Throws `quota_exceeded` if a free sandbox has written SANDBOX_ROWS rows. */
export async function requireRowQuota(ctx: Context): Promise<void> {
  if (!(await hasRowQuota(ctx)))
    throw specificError('quota_exceeded', 'rows', { values: { most: ctx.app.config.sandboxRows } });
}

/**
 * Throws `quota_exceeded` if the target time would put the test clock of a free sandbox more than
 * SANDBOX_CLOCK_YEARS ahead of real time.
 */
export async function requireClockQuota(ctx: Context, target: Date): Promise<void> {
  const { sandboxClockYears } = ctx.app.config;
  if (sandboxClockYears === 0 || !isFreeSandbox(ctx)) return;
  const latest = ctx.wall.now();
  latest.setUTCFullYear(latest.getUTCFullYear() + sandboxClockYears);
  if (target > latest && !(await hasCharged(ctx)))
    throw specificError('quota_exceeded', 'clock', { values: { most: sandboxClockYears } });
}

/**
 * Returns true if the environment may start another export. False for a free sandbox that has started
 * SANDBOX_EXPORTS_PER_DAY exports within 24 hours.
 */
export async function hasExportQuota(ctx: Context): Promise<boolean> {
  const { sandboxExportsPerDay } = ctx.app.config;
  if (sandboxExportsPerDay === 0 || !isFreeSandbox(ctx)) return true;
  const since = new Date(ctx.wall.now().getTime() - dayMs);
  const recent = await ctx.sql(
    'SELECT 1 FROM "Export" WHERE "environmentId" = $1 AND "createdAt" > $2 LIMIT $3',
    [since, sandboxExportsPerDay],
  );
  return recent.length < sandboxExportsPerDay || hasCharged(ctx);
}

const exportsExceeded = ({ app }: Context) =>
  specificError('quota_exceeded', 'exports', { values: { most: app.config.sandboxExportsPerDay } });

/** Throws `quota_exceeded` if a free sandbox has started SANDBOX_EXPORTS_PER_DAY exports within 24 hours. */
export async function requireExportQuota(ctx: Context): Promise<void> {
  if (!(await hasExportQuota(ctx))) throw exportsExceeded(ctx);
}

/**
 * Counts an export stream. Throws `quota_exceeded` if a free sandbox has already read SANDBOX_EXPORTS_PER_DAY
 * streams within 24 hours.
 */
export async function requireStreamQuota(ctx: Context): Promise<void> {
  const { app, environment, wall } = ctx;
  const most = app.config.sandboxExportsPerDay;
  if (most === 0 || !isFreeSandbox(ctx)) return;
  const limit = { name: `export streams ${environment.id}`, most, windowMs: dayMs };
  const usedUp = await takeUses(app.database, [limit], wall.now());
  if (usedUp !== null && !(await hasCharged(ctx))) throw exportsExceeded(ctx);
}

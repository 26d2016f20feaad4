import { LRUCache } from 'lru-cache';
import { countsOperations, isShared, type LimitRow, type RaiseRow } from '../../domain/limits/limit.ts';
import { organizationNode } from '../../domain/limits/shared.ts';
import type { App, Context } from '../../request/context.ts';

// Per-process cache of limits that belong to no customer. The version of an environment's limits is read together with the counters, so that
// outdated templates are never used.

const maxEnvironments = 200;

/** Templates, limits of the organization and of plans, and the raises of these limits. */
export type CommonLimits = { readonly limits: readonly LimitRow[]; readonly raises: readonly RaiseRow[] };

type Cached = CommonLimits & { readonly version: string };

const caches = new WeakMap<App, LRUCache<string, Cached>>();

/** Reads the templates, the limits of the organization and of plans, and their raises. Excludes limits on operations. */
export async function readCommonLimits(ctx: Context): Promise<CommonLimits> {
  const rows = await ctx.db.limit.findMany({
    where: { customerId: null, deletedAt: null },
    orderBy: { seq: 'asc' },
  });
  const limits = rows.filter((limit) => !countsOperations(limit));
  const nodes = [...new Set(limits.filter(isShared).map(({ planId }) => planId ?? organizationNode))];
  const raises =
    nodes.length === 0
      ? []
      : await ctx.db.limitRaise.findMany({
          where: { nodeId: { in: nodes }, until: { gt: ctx.clock.now() } },
          orderBy: { seq: 'asc' },
        });
  return { limits, raises };
}

/**
 * Returns the limits of the environment that belong to no customer. `null` if the environment never had a limit. In a caller's transaction, reads them
 * without the cache, because the transaction may have changed them.
 */
export async function templatesOf(
  ctx: Context,
  version: string,
  isOwn: boolean,
): Promise<CommonLimits | null> {
  if (version === '') return null;
  if (!isOwn) return readCommonLimits(ctx);
  const cache = caches.getOrInsertComputed(ctx.app, () => new LRUCache({ max: maxEnvironments }));
  const cached = cache.get(ctx.environment.id);
  if (cached?.version === version) return cached;
  const read = { ...(await readCommonLimits(ctx)), version };
  cache.set(ctx.environment.id, read);
  return read;
}

import { LRUCache } from 'lru-cache';
import type { LimitRow } from '../../domain/limits/limit.ts';
import type { App, Context } from '../../request/context.ts';

// Per-process cache of the templates of limits. The version of an environment's limits is read together with the counters, so that
// outdated templates are never used.

const maxEnvironments = 200;

type Cached = { readonly version: string; readonly templates: readonly LimitRow[] };

const caches = new WeakMap<App, LRUCache<string, Cached>>();

const readTemplates = (ctx: Context): Promise<LimitRow[]> =>
  ctx.db.limit.findMany({ where: { customerId: null, deletedAt: null }, orderBy: { seq: 'asc' } });

/**
 * Returns the templates of the environment. `null` if the environment never had a limit. In a caller's transaction, reads them
 * without the cache, because the transaction may have changed them.
 */
export async function templatesOf(
  ctx: Context,
  version: string,
  isOwn: boolean,
): Promise<readonly LimitRow[] | null> {
  if (version === '') return null;
  if (!isOwn) return readTemplates(ctx);
  const cache = caches.getOrInsertComputed(ctx.app, () => new LRUCache({ max: maxEnvironments }));
  const cached = cache.get(ctx.environment.id);
  if (cached?.version === version) return cached.templates;
  const templates = await readTemplates(ctx);
  cache.set(ctx.environment.id, { version, templates });
  return templates;
}

import { LRUCache } from 'lru-cache';
import { type Catalog, catalogOf, type FeatureRow } from '../../domain/pricing/catalog.ts';
import type { App, Context } from '../../request/context.ts';
import { loadCatalogRows } from '../load/catalog.ts';

// Per-process cache of the catalog data that usage needs. The catalog version is read together with the
// counters, so that outdated data is never used.

/** Catalog parts to load: plans and add-ons by ID, and features by code. References can be invalid. */
export type NamedCatalog = {
  readonly planIds: readonly string[];
  readonly featureCodes: readonly string[];
  readonly addonIds: readonly string[];
};

/** Catalog with its features by code. Deleted features are excluded. */
export type UsageCatalog = { readonly catalog: Catalog; readonly features: ReadonlyMap<string, FeatureRow> };

type Cached = {
  readonly version: string;
  readonly names: ReadonlySet<string>;
  readonly named: NamedCatalog;
  readonly found: UsageCatalog;
};

/**
 * Limits of the cache. A cached catalog that would exceed the number of entries is replaced with a new one.
 * If there are too many environments, the least recently used catalog is removed.
 */
const maxNames = 1_000;
const maxEnvironments = 200;

const caches = new WeakMap<App, LRUCache<string, Cached>>();

const cacheOf = (app: App): LRUCache<string, Cached> =>
  caches.getOrInsertComputed(app, () => new LRUCache({ max: maxEnvironments }));

const namesOf = ({ planIds, featureCodes, addonIds }: NamedCatalog): string[] => [
  ...planIds.map((id) => `plan ${id}`),
  ...featureCodes.map((code) => `feature ${code}`),
  ...addonIds.map((id) => `addon ${id}`),
];

const union = (a: readonly string[], b: readonly string[]): string[] => [...new Set([...a, ...b])];

/** Reads the catalog without using the cache. */
export async function readCatalog(ctx: Context, named: NamedCatalog): Promise<UsageCatalog> {
  const catalog = catalogOf(
    await loadCatalogRows(ctx, { ...named, planCodes: [], priceIds: [], countries: [] }),
  );
  const features = [...catalog.features.values()].filter(({ deletedAt }) => deletedAt === null);
  return { catalog, features: new Map(features.map((feature) => [feature.code, feature])) };
}

/**
 * Returns the catalog for the version that was just read, with all required data. Reads only data that isn't
 * cached. Don't use it in a transaction that may have changed the catalog, because the version changes only
 * with the commit.
 */
export async function cachedCatalog(
  ctx: Context,
  version: string,
  named: NamedCatalog,
): Promise<UsageCatalog> {
  const cache = cacheOf(ctx.app);
  const last = cache.get(ctx.environment.id);
  const cached = last?.version === version ? last : undefined;
  const names = namesOf(named);
  if (cached !== undefined && names.every((name) => cached.names.has(name))) return cached.found;
  const wanted: NamedCatalog =
    cached === undefined || cached.names.size + names.length > maxNames
      ? named
      : {
          planIds: union(cached.named.planIds, named.planIds),
          featureCodes: union(cached.named.featureCodes, named.featureCodes),
          addonIds: union(cached.named.addonIds, named.addonIds),
        };
  const found = await readCatalog(ctx, wanted);
  cache.set(ctx.environment.id, {
    version,
    names: new Set(namesOf(wanted)),
    named: wanted,
    found,
  });
  return found;
}

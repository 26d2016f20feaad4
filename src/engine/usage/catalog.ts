import { LRUCache } from 'lru-cache';
import type { App, Context } from '../../context.ts';
import { type Catalog, catalogOf, type FeatureRow } from '../../domain/pricing/catalog.ts';
import { loadCatalogRows } from '../load-catalog.ts';

// The catalog as far as usage names it, cached in the process for as long as its version is the stored one. The version is read again each time
// together with the counters, on every instance, so that no cached catalog is ever stale.

/** What must be in the catalog: plans and add-ons by id, features by code, those that do not exist among them. */
export type NamedCatalog = {
  readonly planIds: readonly string[];
  readonly featureCodes: readonly string[];
  readonly addonIds: readonly string[];
};

/** A catalog, and its features by code, deleted ones left out. */
export type UsageCatalog = { readonly catalog: Catalog; readonly features: ReadonlyMap<string, FeatureRow> };

type Cached = {
  readonly version: string;
  readonly names: ReadonlySet<string>;
  readonly named: NamedCatalog;
  readonly found: UsageCatalog;
};

/** A limit of names, beyond which the requested ones begin a new catalog, and a limit of environments, beyond which the one used longest ago is dropped. */
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

/** Reads the catalog as it stands now. */
export async function readCatalog(ctx: Context, named: NamedCatalog): Promise<UsageCatalog> {
  const catalog = catalogOf(
    await loadCatalogRows(ctx, { ...named, planCodes: [], priceIds: [], countries: [] }),
  );
  const features = [...catalog.features.values()].filter(({ deletedAt }) => deletedAt === null);
  return { catalog, features: new Map(features.map((feature) => [feature.code, feature])) };
}

/**
 * The catalog in the version that was just read, with everything named in it; read only where it is not cached yet. Not for a transaction that
 * may have changed the catalog itself: its version changes with the commit.
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

import type { App, Context } from '../../context.ts';
import { type Catalog, catalogOf, type FeatureRow } from '../../domain/pricing/catalog.ts';
import { keepLast } from '../../infra/keep-last.ts';
import { loadCatalogRows } from '../load-catalog.ts';

// The catalogue as far as usage names it, kept in the process for as long as its version is the stored one. The version is read anew each time
// together with the counters, on every instance, so that nothing kept is ever stale.

/** What must be in the catalogue: plans and add-ons by id, features by code, those that do not exist among them. */
export type NamedCatalog = {
  readonly planIds: readonly string[];
  readonly featureCodes: readonly string[];
  readonly addonIds: readonly string[];
};

/** A catalogue, and its features by code, deleted ones left out. */
export type UsageCatalog = { readonly catalog: Catalog; readonly features: ReadonlyMap<string, FeatureRow> };

type Kept = { readonly version: string; readonly names: ReadonlySet<string>; readonly named: NamedCatalog; readonly found: UsageCatalog };

/** Beyond so many names the ones asked for begin a new catalogue, and beyond so many environments the one that came first is dropped. */
const maxNames = 1_000;
const maxEnvironments = 200;

const keepers = new WeakMap<App, Map<string, Kept>>();

const keeperOf = (app: App): Map<string, Kept> => keepers.getOrInsertComputed(app, () => new Map());

const namesOf = ({ planIds, featureCodes, addonIds }: NamedCatalog): string[] => [
  ...planIds.map((id) => `plan ${id}`),
  ...featureCodes.map((code) => `feature ${code}`),
  ...addonIds.map((id) => `addon ${id}`),
];

const union = (a: readonly string[], b: readonly string[]): string[] => [...new Set([...a, ...b])];

/** Reads the catalogue as it stands now. */
export async function readCatalog(ctx: Context, named: NamedCatalog): Promise<UsageCatalog> {
  const catalog = catalogOf(await loadCatalogRows(ctx, { ...named, planCodes: [], priceIds: [], countries: [] }));
  const features = [...catalog.features.values()].filter(({ deletedAt }) => deletedAt === null);
  return { catalog, features: new Map(features.map((feature) => [feature.code, feature])) };
}

/**
 * The catalogue in the version that was just read, with everything named in it; read only where it is not kept yet. Not for a transaction that
 * may have changed the catalogue itself: its version changes with the commit.
 */
export async function keptCatalog(ctx: Context, version: string, named: NamedCatalog): Promise<UsageCatalog> {
  const keeper = keeperOf(ctx.app);
  const last = keeper.get(ctx.environment.id);
  const kept = last?.version === version ? last : undefined;
  const names = namesOf(named);
  if (kept !== undefined && names.every((name) => kept.names.has(name))) return kept.found;
  const wanted: NamedCatalog =
    kept === undefined || kept.names.size + names.length > maxNames
      ? named
      : {
          planIds: union(kept.named.planIds, named.planIds),
          featureCodes: union(kept.named.featureCodes, named.featureCodes),
          addonIds: union(kept.named.addonIds, named.addonIds),
        };
  const found = await readCatalog(ctx, wanted);
  keepLast(keeper, ctx.environment.id, { version, names: new Set(namesOf(wanted)), named: wanted, found }, maxEnvironments);
  return found;
}

import { QuittanceError, specificError, validationError } from '../../../domain/errors/errors.ts';
import { isCurrency } from '../../../domain/money/money.ts';
import { creditsPool, invoiced, moneyPool } from '../../../domain/pricing/pools.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { resource } from '../../../request/resource.ts';

/** Credit packs, active or inactive. Names are unique (CAT-46). */
export const creditPackRows = resource('CreditPack', {
  prefix: 'cpk',
  object: 'credit_pack',
  notFound: (param) => new QuittanceError('credit_pack_not_found', { param }),
  unique: { name: () => specificError('duplicate', 'credit_pack_name', { param: 'name' }) },
  defaults: { asset: creditsPool, isActive: true, refundTakesBack: false },
});

type AssetRow = Row<'Asset'>;

/** Custom unit. The unit `credits` has no times. */
export type AssetShape = Pick<AssetRow, 'id' | 'code' | 'name' | 'symbol' | 'decimals' | 'archivedAt'> & {
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
};

/** Maximum number of custom units in an environment, including `credits`. */
const maxAssets = 50;

/** Custom unit that every environment has. It isn't stored and can't be changed. */
const credits: AssetShape = {
  id: 'ast_credits',
  code: creditsPool,
  name: 'Credits',
  symbol: null,
  decimals: 0,
  createdAt: null,
  updatedAt: null,
  archivedAt: null,
};

const notFound = (param: string): QuittanceError => specificError('not_found', 'asset', { param });

/** Custom units except `credits` (PRM-140). Requests identify a unit by its code. Codes of archived units stay taken. */
const assetRows = resource('Asset', {
  prefix: 'ast',
  object: 'asset',
  notFound,
  references: ['code'],
  unique: { code: () => specificError('duplicate', 'asset_code', { param: 'code' }) },
  limit: {
    most: maxAssets - 1,
    reached: () => specificError('validation_error', 'too_many_assets', { values: { most: maxAssets } }),
  },
});

/** Returns the unit `credits` and the units that aren't archived, oldest first. */
export async function listAssets(ctx: Context, includesArchived: boolean): Promise<AssetShape[]> {
  const rows = await ctx.db.asset.findMany({ orderBy: { seq: 'asc' }, take: maxAssets });
  return [credits, ...rows.filter(({ archivedAt }) => includesArchived || archivedAt === null)];
}

/** Returns a unit, which can be archived. Throws `not_found`. */
export async function requireAsset(ctx: Context, code: string): Promise<AssetShape> {
  return code === creditsPool ? credits : assetRows.require(ctx, code, 'code');
}

type NewAsset = {
  readonly code: string;
  readonly name: string;
  readonly symbol?: string | null | undefined;
  readonly decimals?: number | null | undefined;
};

/** Creates a unit. Throws `duplicate` if the code is taken. Throws `validation_error` if the code is a currency or reserved. */
export async function createAsset(ctx: Context, input: NewAsset): Promise<AssetShape> {
  const { code } = input;
  if (code === creditsPool) throw specificError('duplicate', 'asset_code', { param: 'code' });
  if (isCurrency(code) || code === moneyPool || code === invoiced)
    throw validationError([{ field: 'code', message: 'The code is reserved. Choose another code.' }]);
  return assetRows.create(ctx, { ...input, decimals: input.decimals ?? 0 });
}

function requireOwn(code: string): void {
  if (code === creditsPool)
    throw validationError([{ field: 'code', message: "The unit `credits` can't be changed." }]);
}

/**
 * Changes the name or the symbol of a unit. Throws `not_found` if the unit doesn't exist. Throws `validation_error` if the
 * unit is `credits`.
 */
export async function updateAsset(
  ctx: Context,
  code: string,
  changes: { readonly name?: string | null | undefined; readonly symbol?: string | null | undefined },
): Promise<AssetShape> {
  requireOwn(code);
  return assetRows.update(ctx, code, changes);
}

/** Throws `price_in_use` if a plan has a pool of a unit, or if a credit pack sells the unit. */
async function requireUnused(tx: Context, code: string): Promise<void> {
  const [use] = await tx.sql<{ isUsed: boolean }>(
    `SELECT EXISTS (SELECT FROM "Plan" t WHERE t."environmentId" = $1 AND t."deletedAt" IS NULL AND t.pools @> $2::jsonb)
       OR EXISTS (SELECT FROM "CreditPack" p WHERE p."environmentId" = $1 AND p."deletedAt" IS NULL AND p.asset = $3) AS "isUsed"`,
    [JSON.stringify([{ pool: code }]), code],
  );
  if (use?.isUsed === true) throw specificError('price_in_use', 'asset', { param: 'code' });
}

/**
 * Archives a unit, so that no plan can use it. Throws `not_found` if the unit doesn't exist. Throws `price_in_use` if a plan
 * or a credit pack uses the unit. Throws `validation_error` if the unit is `credits`.
 */
export async function archiveAsset(ctx: Context, code: string): Promise<AssetShape> {
  requireOwn(code);
  return assetRows.update(ctx, code, async (tx, { archivedAt }) => {
    await requireUnused(tx, code);
    return { archivedAt: archivedAt ?? tx.clock.now() };
  });
}

/** Locks a unit that isn't archived until the transaction ends, and returns it. `null` if it doesn't exist or is archived. */
export async function lockAsset(tx: Context, code: string): Promise<AssetShape | null> {
  if (code === creditsPool) return credits;
  const row = await assetRows.findLocked(tx, code, 'SHARE');
  return row === null || row.archivedAt !== null ? null : row;
}

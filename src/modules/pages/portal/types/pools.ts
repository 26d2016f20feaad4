import { isCurrency } from '../../../../domain/money/money.ts';
import { creditsPool } from '../../../../domain/pricing/pools.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import type { Context } from '../../../../request/context.ts';
import { type AssetShape, requireAsset } from '../../../catalog/credit-packs/store.ts';
import { LotSource } from '../../../usage/lots/enums.ts';
import type { LotAccount, LotRow } from '../../../usage/lots/store.ts';

const PortalLot = builder.objectRef<LotRow>('PortalLot').implement({
  description: 'Granted or purchased credits or balance.',
  fields: (t) => ({
    source: t.member('source', LotSource).describe('Origin of the lot.'),
    remaining: t
      .member('remaining', 'SafeInt')
      .describe(
        'Remaining amount, in credits, in the smallest amount of the custom unit, or in ten-thousandths of the currency unit (10,000 = 1.00).',
      ),
    expiresAt: t
      .maybe('expiresAt', 'DateTime')
      .describe("Time from which the lot can't be used. `null` if the lot doesn't expire."),
  }),
});

export const PortalUnit = builder.objectRef<AssetShape>('PortalUnit').implement({
  description: 'Custom unit, such as GPU seconds.',
  fields: (t) => ({
    name: t.member('name', 'String').describe('Name of the unit.'),
    symbol: t.maybe('symbol', 'String').describe('Symbol of the unit. `null` if not set.'),
    decimals: t
      .member('decimals', 'Int')
      .describe('Number of decimals. With 3 decimals, an amount of 1,000 is 1 unit.'),
  }),
});

/** Returns the custom unit of an asset. `null` if the asset is credits or money. */
export const loadUnit = async (ctx: Context, asset: string): Promise<AssetShape | null> =>
  asset === creditsPool || isCurrency(asset) ? null : requireAsset(ctx, asset);

export const PortalPool = builder.objectRef<LotAccount>('PortalPool').implement({
  description: 'Credits or balance of a subscription, which consist of lots.',
  fields: (t) => ({
    asset: t
      .member('asset', 'String')
      .describe('Code of a custom unit such as `credits`, or the lowercase code of a currency.'),
    unit: t.field({
      type: PortalUnit,
      nullable: true,
      description: 'Custom unit of the pool. `null` if the pool contains credits or money.',
      resolve: ({ asset }, _args, ctx) => loadUnit(ctx, asset),
    }),
    amount: t
      .member('amount', 'SafeInt')
      .describe(
        'Sum of the lots, in credits, in the smallest amount of the custom unit, or in ten-thousandths of the currency unit (10,000 = 1.00). Negative if the pool is overdrawn.',
      ),
    lots: t.field({
      type: [PortalLot],
      description: 'Lots with a remaining amount, in the order in which usage draws on them.',
      resolve: ({ lots }) => lots.filter(({ remaining }) => remaining !== 0n),
    }),
  }),
});

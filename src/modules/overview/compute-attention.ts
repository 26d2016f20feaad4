import type { Context } from '../../context.ts';
import type { BoundedCount } from '../../graphql/connections.ts';
import {
  type AttentionKind,
  type AttentionSum,
  attentionKinds,
  mostAttention,
  readAttention,
} from './store.ts';

/** One kind of what needs attention. */
export type AttentionItem = {
  readonly kind: AttentionKind;
  readonly count: BoundedCount;
  readonly amounts: readonly { readonly currency: string; readonly amount: bigint }[];
  readonly oldestAt: Date;
  readonly ids: readonly string[];
};

/** The sums of a kind, one per currency, as one item. */
function itemOf(kind: AttentionKind, sums: readonly AttentionSum[]): AttentionItem[] {
  const [first] = sums;
  if (first === undefined) return [];
  const count = sums.reduce((sum, one) => sum + one.count, 0);
  return [
    {
      kind,
      count: { value: Math.min(count, mostAttention), isExact: count <= mostAttention },
      amounts: sums.flatMap(({ currency, amount }) =>
        currency === null || amount === null ? [] : [{ currency, amount }],
      ),
      oldestAt: new Date(Math.min(...sums.map(({ oldestAt }) => oldestAt.getTime()))),
      ids: sums.flatMap(({ ids }) => ids),
    },
  ];
}

/** What needs attention now, the most urgent kind first; kinds without anything are left out. */
export async function computeAttention(ctx: Context): Promise<AttentionItem[]> {
  const sums = await readAttention(ctx.sql, ctx.clock.now(), ctx.wall.now(), ctx.livemode);
  const byKind = Map.groupBy(sums, ({ kind }) => kind);
  return attentionKinds.flatMap((kind) => itemOf(kind, byKind.get(kind) ?? []));
}

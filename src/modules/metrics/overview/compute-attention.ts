import type { BoundedCount } from '../../../graphql/reading/connections.ts';
import type { Context } from '../../../request/context.ts';
import {
  type AttentionKind,
  type AttentionSum,
  attentionKinds,
  maxAttention,
  readAttention,
} from './store.ts';

export type AttentionItem = {
  readonly kind: AttentionKind;
  readonly count: BoundedCount;
  readonly amounts: readonly { readonly currency: string; readonly amount: bigint }[];
  readonly oldestAt: Date;
  readonly ids: readonly string[];
};

/** Combines the sums of one attention type (one sum per currency) into an item. */
function itemOf(kind: AttentionKind, sums: readonly AttentionSum[]): AttentionItem[] {
  const [first] = sums;
  if (first === undefined) return [];
  const count = sums.reduce((sum, one) => sum + one.count, 0);
  return [
    {
      kind,
      count: { value: Math.min(count, maxAttention), isExact: count <= maxAttention },
      amounts: sums.flatMap(({ currency, amount }) =>
        currency === null || amount === null ? [] : [{ currency, amount }],
      ),
      oldestAt: new Date(Math.min(...sums.map(({ oldestAt }) => oldestAt.getTime()))),
      ids: sums.flatMap(({ ids }) => ids),
    },
  ];
}

/** Returns the objects that currently need attention, most urgent type first. Omits types without objects. */
export async function computeAttention(ctx: Context): Promise<AttentionItem[]> {
  const sums = await readAttention(ctx.reads, ctx.clock.now(), ctx.wall.now(), ctx.livemode);
  const byKind = Map.groupBy(sums, ({ kind }) => kind);
  return attentionKinds.flatMap((kind) => itemOf(kind, byKind.get(kind) ?? []));
}

import type { Context } from '../../../request/context.ts';
import { readHits, type SearchHit, type SearchKind, searchKinds } from './store.ts';

/** Prefixes of the IDs of searchable objects, by object type. */
const prefixes: Readonly<Record<SearchKind, string>> = {
  customer: 'cus',
  subscription: 'sub',
  invoice: 'inv',
  payment: 'pay',
  transaction: 'txn',
  plan: 'pln',
  feature: 'ftr',
  offer: 'ofr',
  promo_code: 'prc',
  webhook: 'whe',
  event: 'whev',
};

/** Returns the object type of an ID. `null` if the string isn't an ID. */
function kindOfId(text: string): SearchKind | null {
  const prefix = /^([a-z]+)_[0-9A-Za-z]{20,}$/.exec(text)?.[1];
  return searchKinds.find((kind) => prefixes[kind] === prefix) ?? null;
}

/**
 * Returns the object whose ID equals the search text, or up to `limit` objects that match by number, email address,
 * name, or code. Best matches come first.
 */
export async function findHits(
  ctx: Context,
  {
    text,
    kinds,
    limit,
  }: { readonly text: string; readonly kinds: readonly SearchKind[]; readonly limit: number },
): Promise<readonly SearchHit[]> {
  const trimmed = text.trim();
  const kind = kindOfId(trimmed);
  if (kind !== null) return kinds.includes(kind) ? [{ kind, matched: 'id', id: trimmed }] : [];
  return readHits(ctx.reads, trimmed, kinds, limit);
}

import type { Context } from '../../context.ts';
import { readHits, type SearchHit, type SearchKind, searchKinds } from './store.ts';

/** What the ids of each kind begin with. */
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

/** The kind of object a text is an id of; null for other texts. */
export function kindOfId(text: string): SearchKind | null {
  const prefix = /^([a-z]+)_[0-9A-Za-z]{20,}$/.exec(text)?.[1];
  return searchKinds.find((kind) => prefixes[kind] === prefix) ?? null;
}

/** What a text finds: the object it is the id of, else at most `limit` objects by number, email, name or code, the best matches first. */
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
  return readHits(ctx.sql, trimmed, kinds, limit);
}

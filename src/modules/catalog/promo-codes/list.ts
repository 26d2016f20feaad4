import { listOf } from '../../../graphql/reading/lists.ts';
import { byCodePoint } from '../../../graphql/reading/sort-keys.ts';
import type { Condition } from '../../../platform/db/row-lists.ts';
import { offersWith } from '../offers/store.ts';

/**
 * SQL condition: the promo code starts with the search text, or the name of its offer contains the search text. The prefix search uses the
 * index that sorts codes by code point.
 */
const isCodeWith =
  (text: string): Condition =>
  (bind) => {
    const from = text.toUpperCase();
    const code = byCodePoint('t.code');
    const begins = `${code} >= ${bind(from)} AND ${code} < ${bind(`${from}\u{10ffff}`)}`;
    return `((${begins}) OR t."offerId" = ANY(ARRAY(${offersWith(text)(bind)})))`;
  };

export const promoCodeList = listOf('PromoCode', {
  name: 'PromoCode',
  of: 'promo codes',
  filter: (f) => ({
    ids: f.ids(),
    offerIds: f.oneOf('offerId', 'ID', 'IDs of the offers that the promo codes grant.'),
    isActive: f.flag(() => 't."isActive"', 'Whether the promo code is active.'),
    expiresAt: f.instants('expiresAt', 'Time at which the promo code expires.'),
    createdAt: f.instants('createdAt', 'Time at which the promo code was created.'),
  }),
  search: {
    idPrefix: 'prc',
    description: 'Text that the code starts with or that the offer name contains.',
    condition: isCodeWith,
  },
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'PromoCode_environmentId_createdAt_seq_idx',
      description: 'Sort by creation time.',
    },
    code: {
      column: 'code',
      expression: byCodePoint,
      index: 'PromoCode_by_code',
      isUnique: true,
      description: 'Sort by code.',
    },
  },
});

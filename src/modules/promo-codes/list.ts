import { listOf } from '../../graphql/lists.ts';
import { byCodePoint } from '../../graphql/sort-keys.ts';
import type { Condition } from '../../platform/db/row-lists.ts';
import { offersWith } from '../offers/store.ts';

/** The condition that a code begins with a text, which its index of code points finds, or hands out an offer with the text in its name. */
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
    offerIds: f.oneOf('offerId', 'ID', 'Ids of the offers they hand out.'),
    isActive: f.flag(() => 't."isActive"', 'Whether they are switched on.'),
    expiresAt: f.instants('expiresAt', 'When they expire.'),
    createdAt: f.instants('createdAt', 'When they were made.'),
  }),
  search: {
    idPrefix: 'prc',
    description: 'Only those whose code begins with this, and those of offers with this in their name.',
    condition: isCodeWith,
  },
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'PromoCode_environmentId_createdAt_seq_idx',
      description: 'When they were made.',
    },
    code: {
      column: 'code',
      expression: byCodePoint,
      index: 'PromoCode_by_code',
      isUnique: true,
      description: 'The code.',
    },
  },
});

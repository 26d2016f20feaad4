import { listOf } from '../../graphql/lists.ts';
import { byCodePoint } from '../../graphql/sort-keys.ts';

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

import { builder } from '../../../graphql/reading/builder.ts';
import { readList } from '../../../graphql/reading/lists.ts';
import { promoCodeList } from './list.ts';
import { promoCodeRows } from './store.ts';
import { PromoCode, PromoCodeConnection } from './types.ts';

builder.queryField('promoCodes', (t) =>
  t.field({
    type: PromoCodeConnection,
    description: 'Lists promo codes, newest first by default. Inactive and expired codes are included.',
    rest: { method: 'GET', path: '/promo-codes', view: 'PromoCode' },
    access: { scope: 'read' },
    args: promoCodeList.args,
    resolve: (_root, args, ctx) => readList(ctx, promoCodeList, args),
  }),
);

builder.queryField('promoCode', (t) =>
  t.field({
    type: PromoCode,
    description: 'Returns a promo code.',
    rest: { method: 'GET', path: '/promo-codes/{id}', view: 'PromoCode' },
    errors: ['promo_code_not_found'],
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'ID of the promo code.' }) },
    resolve: (_root, { id }, ctx) => promoCodeRows.require(ctx, id),
  }),
);

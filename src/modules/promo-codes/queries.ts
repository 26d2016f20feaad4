import { builder } from '../../graphql/builder.ts';
import { readList } from '../../graphql/lists.ts';
import { promoCodeList } from './list.ts';
import { requirePromoCode } from './store.ts';
import { PromoCode, PromoCodeConnection } from './types.ts';

builder.queryField('promoCodes', (t) =>
  t.field({
    type: PromoCodeConnection,
    description: 'Promo codes, newest first, those switched off or expired too.',
    rest: { method: 'GET', path: '/promo-codes', view: 'PromoCode' },
    access: { scope: 'read' },
    args: promoCodeList.args,
    resolve: (_root, args, ctx) => readList(ctx, promoCodeList, args),
  }),
);

builder.queryField('promoCode', (t) =>
  t.field({
    type: PromoCode,
    description: 'One promo code; `promo_code_not_found` when there is none.',
    rest: { method: 'GET', path: '/promo-codes/{id}', view: 'PromoCode', errors: ['promo_code_not_found'] },
    access: { scope: 'read' },
    args: { id: t.arg.id({ required: true, description: 'Id of the promo code.' }) },
    resolve: (_root, { id }, ctx) => requirePromoCode(ctx, id),
  }),
);

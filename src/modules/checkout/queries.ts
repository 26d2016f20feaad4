import { builder } from '../../graphql/builder.ts';
import { loadCheckout } from './state.ts';
import { Checkout } from './types.ts';

builder.queryField('checkout', (t) =>
  t.field({
    type: Checkout,
    description: 'The checkout a page token stands for; `unauthorized` for a token that was not issued here.',
    access: { page: 'checkout' },
    args: { token: t.arg.string({ required: true, description: 'The last part of the checkout address.' }) },
    resolve: (_root, _args, context) => loadCheckout(context),
  }),
);

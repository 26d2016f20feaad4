import { watch } from '../../../graphql/live/live.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { checkoutSubject, loadCheckout, statusOf } from './load.ts';
import { Checkout } from './types/checkout.ts';

builder.subscriptionField('checkoutChanged', (t) =>
  t.field({
    type: Checkout,
    description:
      'Emits the checkout for a page token, immediately and after every change. Changes in quick succession are combined. Completes after the checkout is completed, canceled, or expired.',
    access: { page: 'checkout' },
    args: {
      token: t.arg.string({
        required: true,
        description: 'Token from the checkout URL (the last path segment).',
      }),
    },
    subscribe: (_root, _args, ctx) => {
      const id = checkoutSubject(ctx);
      return watch(
        ctx,
        (present) => present.once(`checkout:${id}`, () => loadCheckout(present, id)),
        (checkout) => statusOf(checkout) !== 'open',
      );
    },
    resolve: (checkout) => checkout,
  }),
);

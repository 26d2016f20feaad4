import { builder } from '../../graphql/builder.ts';
import { watch } from '../../graphql/live.ts';
import { checkoutSubject, loadCheckout, statusOf } from './load.ts';
import { Checkout } from './types/checkout.ts';

builder.subscriptionField('checkoutChanged', (t) =>
  t.field({
    type: Checkout,
    description:
      'The checkout of a page token as it is now, then after every change, quick successions sent as one. Completes after a checkout that is over.',
    access: { page: 'checkout' },
    args: {
      token: t.arg.string({ required: true, description: 'The last part of the checkout address.' }),
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

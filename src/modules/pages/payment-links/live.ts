import { watch } from '../../../graphql/live/live.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { linkSubject, loadLink, stepOf } from './load.ts';
import { PaymentLink } from './types.ts';

builder.subscriptionField('paymentLinkChanged', (t) =>
  t.field({
    type: PaymentLink,
    description:
      'Emits the payment link for a page token, immediately and after every change. Changes in quick succession are combined. Completes after the payment is made or the link is canceled.',
    access: { page: 'pay' },
    args: {
      token: t.arg.string({
        required: true,
        description: "Token from the payment link's URL (the last path segment).",
      }),
    },
    subscribe: (_root, _args, ctx) => {
      const id = linkSubject(ctx);
      return watch(
        ctx,
        (present) => present.once(`link:${id}`, () => loadLink(present, {}, id)),
        (link) => stepOf(link) === 'none',
      );
    },
    resolve: (link) => link,
  }),
);

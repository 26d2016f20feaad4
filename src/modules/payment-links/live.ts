import { builder } from '../../graphql/builder.ts';
import { watch } from '../../graphql/live.ts';
import { linkSubject, loadLink, stepOf } from './load.ts';
import { PaymentLink } from './types.ts';

builder.subscriptionField('paymentLinkChanged', (t) =>
  t.field({
    type: PaymentLink,
    description:
      'The payment link of a page token as it is now, then after every change, quick successions sent as one. Completes after one that is paid or canceled.',
    access: { page: 'pay' },
    args: {
      token: t.arg.string({ required: true, description: 'The last part of the address of the page.' }),
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

import { watch } from '../../../graphql/live/live.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { loadRecovery, pageSubject } from './load.ts';
import { CardRequest } from './types.ts';

builder.subscriptionField('recoveryChanged', (t) =>
  t.field({
    type: CardRequest,
    description:
      'Emits the payment page of an invoice for a page token, immediately and after every change. Changes in quick succession are combined. Completes after the invoice is paid or no longer needs payment.',
    access: { page: 'recover' },
    args: {
      token: t.arg.string({
        required: true,
        description: "Token from the recovery page's URL (the last path segment).",
      }),
    },
    subscribe: (_root, _args, ctx) => {
      const id = pageSubject(ctx);
      return watch(
        ctx,
        (present) => present.once(`recovery:${id}`, () => loadRecovery(present, id)),
        ({ status }) => status !== 'open',
      );
    },
    resolve: (request) => request,
  }),
);

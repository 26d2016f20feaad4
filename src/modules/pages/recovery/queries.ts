import { builder } from '../../../graphql/reading/builder.ts';
import { loadMethodUpdate, loadRecovery } from './load.ts';
import { CardRequest } from './types.ts';

builder.queryField('recovery', (t) =>
  t.field({
    type: CardRequest,
    description:
      'Returns the recovery page of a subscription. Fails with `unauthorized` if the token is invalid.',
    access: { page: 'recover' },
    args: {
      token: t.arg.string({
        required: true,
        description: "Token from the recovery page's URL (the last path segment).",
      }),
    },
    resolve: (_root, _args, ctx) => loadRecovery(ctx),
  }),
);

builder.queryField('paymentMethodUpdate', (t) =>
  t.field({
    type: CardRequest,
    description:
      "Returns the page for replacing a subscription's payment method. Fails with `unauthorized` if the token is invalid.",
    access: { page: 'method' },
    args: {
      token: t.arg.string({
        required: true,
        description:
          'Token from the URL of the page for replacing the payment method (the last path segment).',
      }),
    },
    resolve: (_root, _args, ctx) => loadMethodUpdate(ctx),
  }),
);

import { builder } from '../../graphql/builder.ts';
import { loadMethodUpdate, loadRecovery } from './load.ts';
import { CardRequest } from './types.ts';

builder.queryField('recovery', (t) =>
  t.field({
    type: CardRequest,
    description: 'The invoice a recovery link is about; `unauthorized` for a token that was not issued here.',
    access: { page: 'recover' },
    args: { token: t.arg.string({ required: true, description: 'The last part of the recovery address.' }) },
    resolve: (_root, _args, ctx) => loadRecovery(ctx),
  }),
);

builder.queryField('paymentMethodUpdate', (t) =>
  t.field({
    type: CardRequest,
    description:
      'The subscription a link for another card is about; `unauthorized` for a token that was not issued here.',
    access: { page: 'method' },
    args: { token: t.arg.string({ required: true, description: 'The last part of the address.' }) },
    resolve: (_root, _args, ctx) => loadMethodUpdate(ctx),
  }),
);

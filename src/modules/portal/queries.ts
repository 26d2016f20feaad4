import { builder } from '../../graphql/builder.ts';
import { loadPortal } from './service.ts';
import { Portal } from './types.ts';
import { sessionToken } from './words.ts';

builder.queryField('portal', (t) =>
  t.field({
    type: Portal,
    description: 'The portal of a session; using it keeps the session alive. `unauthorized` once the session has ended.',
    access: { page: 'portal' },
    args: { token: t.arg.string(sessionToken) },
    resolve: (_root, _args, context) => loadPortal(context),
  }),
);

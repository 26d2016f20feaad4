import { builder } from '../../graphql/builder.ts';
import { previewShown } from './preview.ts';
import { loadPortal } from './store.ts';
import { Portal } from './types/portal.ts';
import { demandOne, PortalPreview } from './types/preview.ts';
import { PortalActionInput } from './types/preview-input.ts';
import { sessionToken } from './types/session-token.ts';

builder.queryField('portal', (t) =>
  t.field({
    type: Portal,
    description:
      'The portal of a session; using it keeps the session alive. `unauthorized` once the session has ended.',
    access: { page: 'portal' },
    args: { token: t.arg.string(sessionToken) },
    resolve: (_root, _args, ctx) => loadPortal(ctx),
  }),
);

builder.queryField('portalPreview', (t) =>
  t.field({
    type: PortalPreview,
    description:
      'What something a customer is about to do in the portal leads to: what is charged now, what later, when access ends, what is lost. Worked out by the decision itself; nothing is written, charged or sent. Throws the codes of the mutation, but for `charge_failed` and `no_payment_method`.',
    errors: ['charge_failed', 'no_payment_method'],
    access: { page: 'portal' },
    args: {
      token: t.arg.string(sessionToken),
      action: t.arg({ type: PortalActionInput, required: true, description: 'What is to be done.' }),
    },
    resolve: (_root, { action }, ctx) => {
      demandOne(action);
      return previewShown(ctx, action);
    },
  }),
);

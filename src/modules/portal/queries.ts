import { builder } from '../../graphql/builder.ts';
import { findOrganizationBySlug } from '../organizations/store.ts';
import { loadHosted } from './load-invoice.ts';
import { previewShown } from './preview.ts';
import { loadPortal } from './store.ts';
import { HostedInvoice } from './types/hosted-invoice.ts';
import { PortalLogin } from './types/login.ts';
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

builder.queryField('hostedInvoice', (t) =>
  t.field({
    type: HostedInvoice,
    description: 'The invoice a page token stands for; `unauthorized` for a token that was not issued here.',
    access: { page: 'invoice' },
    args: {
      token: t.arg.string({ required: true, description: 'The last part of `Invoice.hostedUrl`.' }),
    },
    resolve: (_root, _args, ctx) => loadHosted(ctx),
  }),
);

builder.queryField('portalLogin', (t) =>
  t.field({
    type: PortalLogin,
    nullable: true,
    description:
      'The page at which customers of an organization ask for a link to the portal; null where no organization has the slug.',
    access: { anonymous: true },
    args: {
      slug: t.arg.string({
        required: true,
        description: 'What names the organization in addresses of its pages.',
      }),
    },
    resolve: async (_root, { slug }, { app }) =>
      (await findOrganizationBySlug(app, slug, true))?.organization ?? null,
  }),
);

builder.queryField('portalPreview', (t) =>
  t.field({
    type: PortalPreview,
    description:
      'What something a customer is about to do in the portal leads to: what is charged now, what later, when access ends, what is lost. Worked out by the decision itself; nothing is written, charged or sent. Throws the codes of the mutation, but for those of a charge.',
    errors: [
      'addon_already_active',
      'addon_not_active',
      'addon_not_found',
      'already_has_active_subscription',
      'already_scheduled',
      'charge_in_progress',
      'credit_pack_not_found',
      'feature_already_exists',
      'feature_disabled',
      'feature_not_found',
      'feature_not_in_plan',
      'included_limit_reached',
      'invalid_subscription_status',
      'missing_regional_price',
      'no_active_subscription',
      'no_change_requested',
      'not_scheduled_for_cancellation',
      'one_time_subscription_not_cancelable',
      'plan_unavailable',
      'plans_not_in_same_group',
      'seat_limit_exceeded',
      'subscription_already_canceled',
      'subscription_has_open_dispute',
      'subscription_not_active',
      'subscription_not_found',
    ],
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

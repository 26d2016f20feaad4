import { workCosts } from '../../../graphql/declare/cost-weights.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { findOrganizationBySlug } from '../../organization/organizations/store.ts';
import { loadHosted } from './load-invoice.ts';
import { loadUsageLimits } from './load-usage-limits.ts';
import { previewShown } from './preview.ts';
import { loadPortal } from './store.ts';
import { HostedInvoice } from './types/hosted-invoice.ts';
import { PortalUsageLimits } from './types/limits.ts';
import { PortalLogin } from './types/login.ts';
import { Portal } from './types/portal.ts';
import { PortalPreview } from './types/preview.ts';
import { PortalActionInput } from './types/preview-input.ts';
import { sessionToken } from './types/session-token.ts';

builder.queryField('portal', (t) =>
  t.field({
    type: Portal,
    description:
      'Returns the customer portal for a session token, and extends the session. Fails with `unauthorized` if the session has ended.',
    access: { page: 'portal' },
    args: { token: t.arg.string(sessionToken) },
    resolve: (_root, _args, ctx) => loadPortal(ctx),
  }),
);

builder.queryField('portalUsageLimits', (t) =>
  t.field({
    type: PortalUsageLimits,
    description:
      "Returns the limits on the usage of the portal's customer, and the customer's budgets. A limit that the organization set has figures only if its channels include `portal`.",
    access: { page: 'portal' },
    args: { token: t.arg.string(sessionToken) },
    resolve: (_root, _args, ctx) => loadUsageLimits(ctx),
  }),
);

builder.queryField('hostedInvoice', (t) =>
  t.field({
    type: HostedInvoice,
    description: 'Returns the invoice for a page token. Fails with `unauthorized` if the token is invalid.',
    access: { page: 'invoice' },
    args: {
      token: t.arg.string({
        required: true,
        description: 'Token from `Invoice.hostedUrl` (the last path segment).',
      }),
    },
    resolve: (_root, _args, ctx) => loadHosted(ctx),
  }),
);

builder.queryField('portalLogin', (t) =>
  t.field({
    type: PortalLogin,
    nullable: true,
    description:
      'Returns the page on which customers of an organization request a portal link. `null` if no organization has the slug.',
    access: { anonymous: true },
    args: {
      slug: t.arg.string({
        required: true,
        description: "Organization's slug, as used in the URLs of the hosted pages.",
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
      "Returns the effects of a portal action: immediate and later charges, the end of access, and lost credits or balance. The preview doesn't store, charge, or send anything. Fails with the same codes as the mutation, except the codes for failed charges.",
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
      action: t.arg({ type: PortalActionInput, required: true, description: 'Action to preview.' }),
    },
    complexity: { field: workCosts.preview },
    resolve: (_root, { action }, ctx) => previewShown(ctx, action),
  }),
);

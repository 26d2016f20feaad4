import { reference } from '../../../../graphql/declare/shapes.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { Language } from '../../../organization/organizations/types/organization.ts';
import { createSession } from '../create-session.ts';
import { PortalAccess } from '../types/session.ts';

const PortalSessionCreateInput = builder.inputType('PortalSessionCreateInput', {
  description: 'Parameters for creating a portal session. Set exactly one of `customerId` and `email`.',
  fields: (t) => ({
    customerId: t.string({
      rule: reference,
      description: 'ID or external ID of the customer.',
    }),
    email: t.string({
      rule: { format: 'email', maxLength: 320 },
      description:
        'Email address of the customer. Case-insensitive. If several customers have the address, the newest customer is used. Customers that a visitor created on a pricing table are used only if no other customer has the address.',
    }),
    returnUrl: t.string({
      rule: { format: 'uri', maxLength: 2_000 },
      description:
        'HTTP or HTTPS URL that the portal links back to. If omitted, the portal has no link back.',
    }),
    locale: t.field({
      type: Language,
      description:
        "Language of the portal. Defaults to the customer's language, or otherwise to the organization's language.",
    }),
  }),
});

builder.mutationField('portalSessionCreate', (t) =>
  t.field({
    type: PortalAccess,
    description:
      'Creates a session in which a customer can manage the subscription on the hosted portal. The session ends after 30 minutes of inactivity, and after 2 hours at the latest.',
    rest: {
      method: 'POST',
      path: '/portal/sessions',
      view: 'PortalAccess',
      secret: true,
    },
    errors: ['customer_not_found'],
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: PortalSessionCreateInput, required: true }),
    },
    resolve: (_root, { input }, ctx) => createSession(ctx, input),
  }),
);

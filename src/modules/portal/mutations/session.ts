import { builder } from '../../../graphql/builder.ts';
import { reference } from '../../../graphql/shapes.ts';
import { Language } from '../../organizations/types/organization.ts';
import { createSession } from '../create-session.ts';
import { PortalAccess } from '../types/session.ts';

const PortalSessionCreateInput = builder.inputType('PortalSessionCreateInput', {
  description: 'A new portal session: exactly one of `customerId` and `email`.',
  fields: (t) => ({
    customerId: t.string({
      rule: reference,
      description: 'Our id of the customer, else its external id.',
    }),
    email: t.string({
      rule: { format: 'email', maxLength: 320 },
      description:
        'Email address of the customer, exactly as stored; the newest customer where several have it.',
    }),
    returnUrl: t.string({
      rule: { format: 'uri', maxLength: 2_000 },
      description: 'Where the portal leads back to, http or https. Defaults to nowhere.',
    }),
    locale: t.field({
      type: Language,
      description: "Language of the portal. Defaults to the customer's, else that of the organization.",
    }),
  }),
});

builder.mutationField('portalSessionCreate', (t) =>
  t.field({
    type: PortalAccess,
    description:
      'Opens a session in which a customer looks after the subscription on the hosted portal. It ends after 30 minutes without use, and after 2 hours in any case.',
    rest: {
      method: 'POST',
      path: '/portal/sessions',
      view: 'PortalAccess',
      secret: true,
      errors: ['customer_not_found'],
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: PortalSessionCreateInput, required: true, description: 'The new session.' }),
    },
    resolve: (_root, { input }, ctx) => createSession(ctx, input),
  }),
);

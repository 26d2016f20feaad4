import { builder } from '../../graphql/builder.ts';
import { requestPortalLink } from './request-portal-link.ts';

const PortalSessionRequestInput = builder.inputType('PortalSessionRequestInput', {
  description: 'Who wants to get into the portal of which organization.',
  fields: (t) => ({
    slug: t.string({
      required: true,
      rule: { minLength: 1, maxLength: 100 },
      description: 'What names the organization in addresses of its pages.',
    }),
    email: t.string({
      required: true,
      rule: { format: 'email', maxLength: 320 },
      description: 'The email address the organization knows the customer by.',
    }),
    livemode: t.boolean({
      rule: { default: true },
      description: 'False for the portal of the sandbox. Defaults to true.',
    }),
  }),
});

builder.mutationField('portalSessionRequest', (t) =>
  t.boolean({
    description:
      'Emails a link to the portal to the customer with this address; it works for an hour. Always true, whether or not there is such an organization or customer. A customer gets five such emails within an hour at most.',
    access: { anonymous: true },
    args: {
      input: t.arg({ type: PortalSessionRequestInput, required: true, description: 'Who asks.' }),
    },
    resolve: (_root, { input: { slug, email, livemode } }, ctx) => {
      requestPortalLink(ctx, { slug, email, livemode: livemode ?? true });
      return true;
    },
  }),
);

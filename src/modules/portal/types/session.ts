import { builder } from '../../../graphql/builder.ts';
import { restView } from '../../../graphql/rest.ts';
import type { PortalAccess as Access } from '../create-session.ts';

// Types of the portal are its own wherever the shared one leads to other rows of the tenant or shows what is the tenant's alone.

export const PortalAccess = builder.objectRef<Access>('PortalAccess').implement({
  description: 'A portal session that was opened.',
  fields: (t) => ({
    portalUrl: t.exposeString('portalUrl', {
      description:
        'Where the customer looks after the subscription, until 30 minutes without use or 2 hours in all. Anyone who has it may.',
    }),
    object: t.string({ description: 'Always `portal_session`.', resolve: () => 'portal_session' }),
    livemode: t.livemode(),
  }),
});

restView('PortalAccess', 'PortalAccess', 'portalUrl object livemode');

import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import type { PortalAccess as Access } from '../create-session.ts';

// The portal has its own type if a shared type would expose other customers' data or the organization's internal data.

export const PortalAccess = builder.objectRef<Access>('PortalAccess').implement({
  description: 'Newly created session of the customer portal.',
  fields: (t) => ({
    portalUrl: t
      .member('portalUrl', 'String')
      .describe(
        'URL of the portal for managing the subscription. Expires after 30 minutes of inactivity, and after 2 hours at the latest. Anyone with the URL can use the portal.',
      ),
    ...t.resource('portal_session'),
  }),
});

restView('PortalAccess', 'PortalAccess', 'portalUrl object livemode');

import { builder } from '../../graphql/builder.ts';
import { restView } from '../../graphql/rest.ts';
import type { PortalAccess as Access } from './create-session.ts';

export const PortalAccess = builder.objectRef<Access>('PortalAccess').implement({
  description: 'A portal session that was opened.',
  fields: (t) => ({
    portalUrl: t.exposeString('portalUrl', {
      description: 'Where the customer looks after the subscription, until 30 minutes without use or 2 hours in all. Whoever has it may.',
    }),
    object: t.string({ description: 'Always `portal_session`.', resolve: () => 'portal_session' }),
    livemode: t.boolean({ description: 'True for live data.', resolve: (_access, _args, context) => context.livemode }),
  }),
});

restView('PortalAccess', 'PortalAccess', 'portalUrl object livemode');

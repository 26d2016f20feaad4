import { builder } from '../../../../graphql/reading/builder.ts';
import { LotSource } from '../../../usage/lots/enums.ts';
import type { LotAccount, LotRow } from '../../../usage/lots/store.ts';

const PortalLot = builder.objectRef<LotRow>('PortalLot').implement({
  description: 'Granted or purchased credits or balance.',
  fields: (t) => ({
    source: t.member('source', LotSource).describe('Origin of the lot.'),
    remaining: t
      .member('remaining', 'SafeInt')
      .describe('Remaining amount, in credits or in ten-thousandths of the currency unit (10,000 = 1.00).'),
    expiresAt: t
      .maybe('expiresAt', 'DateTime')
      .describe("Time from which the lot can't be used. `null` if the lot doesn't expire."),
  }),
});

export const PortalPool = builder.objectRef<LotAccount>('PortalPool').implement({
  description: 'Credits or balance of a subscription, which consist of lots.',
  fields: (t) => ({
    asset: t.member('asset', 'String').describe('`credits`, or the lowercase code of a currency.'),
    lots: t.field({
      type: [PortalLot],
      description: 'Lots with a remaining amount, in the order in which usage draws on them.',
      resolve: ({ lots }) => lots.filter(({ remaining }) => remaining !== 0n),
    }),
  }),
});

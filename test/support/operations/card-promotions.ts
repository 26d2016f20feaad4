import { allowCardPromotions, createCardPromotion, createOffer, type Shop } from '../factories.ts';
import { reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

/** Returns a BIN that no card promotion uses. */
const freshBin = (shop: Shop): string => shop.next('bin').replace('bin', '').padStart(6, '4');

export const operations: ModuleOperations = {
  unrouted: {
    cardPromotion: {
      because: reasons.more,
      text: 'query ($id: ID!) { cardPromotion(id: $id) { id bins offer { name } } }',
      variables: async (shop) => ({ id: (await createCardPromotion(shop, [freshBin(shop)])).id }),
    },
    cardPromotionCreate: {
      because: reasons.rule,
      text: 'mutation ($input: CardPromotionCreateInput!) { cardPromotionCreate(input: $input) { id } }',
      variables: async (shop) => {
        await allowCardPromotions(shop);
        return { input: { offerId: (await createOffer(shop)).id, bins: [freshBin(shop)] } };
      },
    },
    cardPromotionDelete: {
      because: reasons.rule,
      text: 'mutation ($id: ID!) { cardPromotionDelete(input: { id: $id }) { deletedId } }',
      variables: async (shop) => ({ id: (await createCardPromotion(shop, [freshBin(shop)])).id }),
    },
    cardPromotionUpdate: {
      because: reasons.rule,
      text: 'mutation ($id: ID!) { cardPromotionUpdate(input: { id: $id, autoDiscovered: true }) { id } }',
      variables: async (shop) => ({ id: (await createCardPromotion(shop, [freshBin(shop)])).id }),
    },
    cardPromotions: {
      because: reasons.more,
      text: '{ cardPromotions(first: 5) { edges { node { id bins } } } }',
      variables: async (shop) => {
        await createCardPromotion(shop, [freshBin(shop)]);
        return {};
      },
    },
  },
};

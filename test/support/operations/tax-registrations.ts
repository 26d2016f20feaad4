import { createTaxRegistration, nextCountry, noteRegistration } from '../factories.ts';
import { reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  unrouted: {
    taxRegistrationCreate: {
      because: reasons.rule,
      text: 'mutation ($input: TaxRegistrationCreateInput!) { taxRegistrationCreate(input: $input) { id country region rateBps } }',
      variables: async (shop) => {
        noteRegistration(shop);
        return { input: { country: nextCountry(shop), rateBps: 750 } };
      },
    },
    taxRegistrationDelete: {
      because: reasons.rule,
      text: 'mutation ($id: ID!) { taxRegistrationDelete(input: { id: $id }) { id: deletedId deleted } }',
      variables: async (shop) => ({ id: (await createTaxRegistration(shop)).id }),
    },
    taxDocumentCheck: {
      because: reasons.more,
      text: '{ taxDocumentCheck(country: "US", value: "12-3456789") { kind isPlausible } }',
      variables: async () => ({}),
    },
    taxRegistrations: {
      because: reasons.rule,
      text: '{ taxRegistrations(first: 5) { edges { node { id country region rateBps } } } }',
      variables: async (shop) => {
        await createTaxRegistration(shop);
        return {};
      },
    },
  },
};

import { reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  unrouted: {
    savedViews: {
      because: reasons.members,
      text: 'query ($list: String!) { savedViews(list: $list) { id name settings isShared isOwn savedBy } }',
      variables: async () => ({ list: 'customers' }),
    },
    savedViewSave: {
      because: reasons.members,
      text: 'mutation ($input: SavedViewSaveInput!) { savedViewSave(input: $input) { id name } }',
      variables: async (shop) => ({
        input: { list: 'customers', name: shop.next('view'), settings: { sort: 'name' }, isShared: true },
      }),
    },
    savedViewDelete: {
      because: reasons.members,
      text: 'mutation ($input: SavedViewDeleteInput!) { savedViewDelete(input: $input) { deletedId } }',
      variables: async () => ({ input: { id: 'svw_none' } }),
    },
    viewerPreferencesSet: {
      because: reasons.members,
      text: 'mutation ($input: ViewerPreferencesSetInput!) { viewerPreferencesSet(input: $input) { preferences } }',
      variables: async () => ({ input: { preferences: { theme: 'dark' } } }),
    },
  },
};

import { png } from '../pictures.ts';
import { none, reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  unrouted: {
    organizationLogoSet: {
      because: reasons.members,
      text: 'mutation ($input: OrganizationLogoSetInput!) { organizationLogoSet(input: $input) { logoUrl } }',
      variables: async () => ({ input: { image: png(30, 8).toString('base64') } }),
    },
    organizationArchive: {
      because: reasons.members,
      text: 'mutation ($input: OrganizationArchiveInput!) { organizationArchive(input: $input) { deletedId } }',
      variables: async () => ({ input: { id: 'org_none' } }),
    },
    organization: { because: reasons.more, text: '{ organization { id name language } }', variables: none },
    organizationUpdate: {
      because: 'The contract knows no settings; dashboards change them.',
      text: 'mutation ($input: OrganizationUpdateInput!) { organizationUpdate(input: $input) { name issuerName } }',
      variables: async (shop) => ({ input: { issuerName: shop.next('issuer') } }),
    },
  },
};

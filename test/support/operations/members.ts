import { none, reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  unrouted: {
    memberInvitation: {
      because: reasons.claimPage,
      text: 'query ($token: String!) { memberInvitation(token: $token) { organizationName } }',
      variables: async () => ({ token: 'none' }),
    },
    memberInvitationAccept: {
      because: reasons.claimPage,
      text: 'mutation ($input: MemberInvitationAcceptInput!) { memberInvitationAccept(input: $input) { role } }',
      variables: async () => ({ input: { token: 'none' } }),
    },
    memberInvitationCancel: {
      because: reasons.members,
      text: 'mutation ($input: MemberInvitationCancelInput!) { memberInvitationCancel(input: $input) { deletedId } }',
      variables: async () => ({ input: { id: 'inv_none' } }),
    },
    memberInvitations: { because: reasons.members, text: '{ memberInvitations { email } }', variables: none },
    liveTicketCreate: {
      because: reasons.members,
      text: 'mutation { liveTicketCreate { ticket expiresAt } }',
      variables: none,
    },
    memberInvite: {
      because: reasons.members,
      text: 'mutation ($input: MemberInviteInput!) { memberInvite(input: $input) { email } }',
      variables: async (shop) => ({ input: { email: `${shop.next('person')}@people.test`, role: 'member' } }),
    },
    memberRemove: {
      because: reasons.members,
      text: 'mutation ($input: MemberRemoveInput!) { memberRemove(input: $input) { deletedId } }',
      variables: async () => ({ input: { id: 'mem_none' } }),
    },
    memberRoleSet: {
      because: reasons.members,
      text: 'mutation ($input: MemberRoleSetInput!) { memberRoleSet(input: $input) { role } }',
      variables: async () => ({ input: { id: 'mem_none', role: 'admin' } }),
    },
    members: { because: reasons.members, text: '{ members { email role } }', variables: none },
    memberships: { because: reasons.members, text: '{ memberships { organizationId } }', variables: none },
    sessionEnd: {
      because: reasons.members,
      text: 'mutation ($input: SessionEndInput!) { sessionEnd(input: $input) { id } }',
      variables: async () => ({ input: { id: 'ses_none' } }),
    },
    sessionsEndOthers: {
      because: reasons.members,
      text: 'mutation { sessionsEndOthers { id sessions { id isCurrent } } }',
      variables: none,
    },
    passkeyUpdate: {
      because: reasons.members,
      text: 'mutation ($input: PasskeyUpdateInput!) { passkeyUpdate(input: $input) { id name } }',
      variables: async () => ({ input: { id: 'psk_none', name: 'Laptop' } }),
    },
    passkeyRemove: {
      because: reasons.members,
      text: 'mutation ($input: PasskeyRemoveInput!) { passkeyRemove(input: $input) { id passkeys { id } } }',
      variables: async () => ({ input: { id: 'psk_none' } }),
    },
    organizationCreate: {
      because: reasons.members,
      text: 'mutation ($input: OrganizationCreateInput!) { organizationCreate(input: $input) { organizationId role } }',
      variables: async (shop) => ({ input: { name: shop.next('organization') } }),
    },
    organizationClaim: {
      because: reasons.claimPage,
      text: 'mutation ($input: OrganizationClaimInput!) { organizationClaim(input: $input) { role } }',
      variables: async () => ({ input: { token: 'none' } }),
    },
    viewer: { because: reasons.members, text: '{ viewer { email } }', variables: none },
  },
};

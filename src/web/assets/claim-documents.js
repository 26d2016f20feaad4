// The operations of the page of a claim or an invitation.

export const claimQuery = `query Claim($token: String!) { claimLink(token: $token) { organizationName status } }`;

export const invitationQuery = `query Invitation($token: String!) { memberInvitation(token: $token) { organizationName email role } }`;

export const viewerQuery = `query Viewer { viewer { email } }`;

export const claimMutation = `mutation Claim($input: OrganizationClaimInput!) { organizationClaim(input: $input) { organizationName } }`;

export const acceptMutation = `mutation Accept($input: MemberInvitationAcceptInput!) { memberInvitationAccept(input: $input) { organizationName } }`;

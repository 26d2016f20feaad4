import { builder } from '../../graphql/builder.ts';
import { DeletedObject } from '../../graphql/deleted.ts';
import { name } from '../../graphql/shapes.ts';
import { removeMember, setMemberRole } from './change.ts';
import { removeOwnPasskey, renameOwnPasskey } from './change-passkeys.ts';
import { endOthers, endOwnSession } from './change-sessions.ts';
import { claimOrganization } from './claim.ts';
import { createOwnOrganization } from './create-organization.ts';
import { acceptInvitation, cancelInvitation, inviteMember } from './invite.ts';
import { issueLiveTicket } from './issue-live-ticket.ts';
import {
  InvitedRole,
  LiveTicketType,
  Member,
  MemberInvitation,
  MemberRole,
  Membership,
  Passkey,
  Viewer,
} from './types.ts';

// People are managed by people, in the live environment only (PLT-3, PLT-6).
const managed = { member: 'admin', environment: 'live' } as const;

const MemberInviteInput = builder.inputType('MemberInviteInput', {
  description: 'Whom to ask.',
  fields: (t) => ({
    email: t.string({
      required: true,
      rule: { format: 'email', maxLength: 320 },
      description: 'Where the email goes; case does not matter.',
    }),
    role: t.field({ type: InvitedRole, required: true, description: 'What they will be.' }),
  }),
});

builder.mutationField('memberInvite', (t) =>
  t.field({
    type: MemberInvitation,
    description:
      'Asks someone to join, by email; its link works for seven days. `duplicate` while an invitation to the address waits, and for a member.',
    errors: ['duplicate'],
    access: managed,
    args: { input: t.arg({ type: MemberInviteInput, required: true, description: 'The person.' }) },
    resolve: (_root, { input }, ctx) => inviteMember(ctx, input),
  }),
);

const MemberInvitationCancelInput = builder.inputType('MemberInvitationCancelInput', {
  description: 'Which invitation to take back.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the invitation.' }) }),
});

builder.mutationField('memberInvitationCancel', (t) =>
  t.field({
    type: DeletedObject,
    description: 'Takes an invitation back; its link stops working. `not_found` for one that was answered.',
    errors: ['not_found'],
    access: managed,
    args: {
      input: t.arg({ type: MemberInvitationCancelInput, required: true, description: 'The invitation.' }),
    },
    resolve: (_root, { input }, ctx) => cancelInvitation(ctx, input.id),
  }),
);

const MemberInvitationAcceptInput = builder.inputType('MemberInvitationAcceptInput', {
  description: 'The invitation to accept.',
  fields: (t) => ({
    token: t.string({ required: true, description: 'The last part of the address in the email.' }),
  }),
});

builder.mutationField('memberInvitationAccept', (t) =>
  t.field({
    type: Membership,
    description:
      'Makes the person who is signed in a member, with an account of the address that was invited; case does not matter. `forbidden` for another address, `not_found` for an invitation that is no longer valid, `duplicate` for a member.',
    errors: ['not_found', 'duplicate'],
    access: { person: true },
    args: {
      input: t.arg({ type: MemberInvitationAcceptInput, required: true, description: 'The invitation.' }),
    },
    resolve: (_root, { input }, ctx) => acceptInvitation(ctx, input.token),
  }),
);

const MemberRoleSetInput = builder.inputType('MemberRoleSetInput', {
  description: 'A role for a member.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the member.' }),
    role: t.field({
      type: MemberRole,
      required: true,
      description: 'The role; `owner` hands ownership over.',
    }),
  }),
});

builder.mutationField('memberRoleSet', (t) =>
  t.field({
    type: Member,
    description:
      'Gives a member another role. `owner` is for the owner to give, who becomes admin; otherwise the owner stays as is: `forbidden`.',
    errors: ['not_found', 'reauthentication_required'],
    access: managed,
    args: {
      input: t.arg({ type: MemberRoleSetInput, required: true, description: 'The member and the role.' }),
    },
    resolve: (_root, { input }, ctx) => setMemberRole(ctx, input),
  }),
);

const MemberRemoveInput = builder.inputType('MemberRemoveInput', {
  description: 'Whom to remove.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the member.' }) }),
});

builder.mutationField('memberRemove', (t) =>
  t.field({
    type: DeletedObject,
    description:
      'Removes a member, who loses access immediately; keys they made stay valid. `forbidden` for the owner.',
    errors: ['not_found'],
    access: managed,
    args: { input: t.arg({ type: MemberRemoveInput, required: true, description: 'The member.' }) },
    resolve: (_root, { input }, ctx) => removeMember(ctx, input.id),
  }),
);

const OrganizationClaimInput = builder.inputType('OrganizationClaimInput', {
  description: 'The claim of an organization.',
  fields: (t) => ({ token: t.string({ required: true, description: 'The last part of the claim link.' }) }),
});

builder.mutationField('organizationClaim', (t) =>
  t.field({
    type: Membership,
    description:
      'Makes the person who is signed in the owner of an organization without one. `organization_already_claimed` for one with an owner, `claim_not_pending` for a link that expired or was replaced.',
    errors: ['organization_already_claimed', 'claim_not_pending'],
    access: { person: true },
    args: { input: t.arg({ type: OrganizationClaimInput, required: true, description: 'The claim.' }) },
    resolve: (_root, { input }, ctx) => claimOrganization(ctx, input.token),
  }),
);

const OrganizationCreateInput = builder.inputType('OrganizationCreateInput', {
  description: 'A new organization of the person who is signed in.',
  fields: (t) => ({
    name: t.string({
      required: true,
      rule: name,
      description: 'What payers know it by, 1 to 200 characters.',
    }),
    country: t.string({
      rule: { nullable: true, format: 'country' },
      description: 'ISO 3166-1 alpha-2, upper case.',
    }),
    businessType: t.string({
      rule: { nullable: true, minLength: 1, maxLength: 200 },
      description: 'Kind of business, up to 200 characters.',
    }),
  }),
});

builder.mutationField('organizationCreate', (t) =>
  t.field({
    type: Membership,
    description:
      'Makes an organization with its live and its sandbox environment, owned by the person who is signed in; at most 20 per person. `forbidden` where provisioning is switched off.',
    access: { person: true },
    args: {
      input: t.arg({ type: OrganizationCreateInput, required: true, description: 'The organization.' }),
    },
    resolve: (_root, { input }, ctx) => createOwnOrganization(ctx, input),
  }),
);

const SessionEndInput = builder.inputType('SessionEndInput', {
  description: 'Which session to end.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the session.' }) }),
});

builder.mutationField('sessionEnd', (t) =>
  t.field({
    type: Viewer,
    description: 'Ends a session of the person who is signed in, with its sockets. `not_found`.',
    errors: ['not_found'],
    access: { person: true },
    args: { input: t.arg({ type: SessionEndInput, required: true, description: 'The session.' }) },
    resolve: (_root, { input }, ctx) => endOwnSession(ctx, input.id),
  }),
);

builder.mutationField('sessionsEndOthers', (t) =>
  t.field({
    type: Viewer,
    description: 'Ends every session of the person who is signed in but the one of this request.',
    access: { person: true },
    resolve: (_root, _args, ctx) => endOthers(ctx),
  }),
);

const PasskeyUpdateInput = builder.inputType('PasskeyUpdateInput', {
  description: 'Another name for a passkey.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the passkey.' }),
    name: t.string({ required: true, rule: name, description: 'What to call it, 1 to 200 characters.' }),
  }),
});

builder.mutationField('passkeyUpdate', (t) =>
  t.field({
    type: Passkey,
    description: 'Gives a passkey of the person who is signed in another name. `not_found`.',
    errors: ['not_found'],
    access: { person: true, proof: true },
    args: { input: t.arg({ type: PasskeyUpdateInput, required: true, description: 'The new name.' }) },
    resolve: (_root, { input }, ctx) => renameOwnPasskey(ctx, input),
  }),
);

const PasskeyRemoveInput = builder.inputType('PasskeyRemoveInput', {
  description: 'Which passkey to remove.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the passkey.' }) }),
});

builder.mutationField('passkeyRemove', (t) =>
  t.field({
    type: Viewer,
    description:
      'Removes a passkey of the person who is signed in; it signs in no more. The password stays, and so do sessions. `not_found`.',
    errors: ['not_found'],
    access: { person: true, proof: true },
    args: { input: t.arg({ type: PasskeyRemoveInput, required: true, description: 'The passkey.' }) },
    resolve: (_root, { input }, ctx) => removeOwnPasskey(ctx, input.id),
  }),
);

builder.mutationField('liveTicketCreate', (t) =>
  t.field({
    type: LiveTicketType,
    description:
      'Makes a ticket with which the person who is signed in opens one WebSocket, by `connectionParams: { ticket }`, for live fields and queries in the environment of the request. The socket is closed with 4403 when the session ends, and when the person is removed or gets another role.',
    access: { member: 'member' },
    resolve: (_root, _args, ctx) => issueLiveTicket(ctx),
  }),
);

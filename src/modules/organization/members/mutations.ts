import { name } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { DeletedObject } from '../../../graphql/reading/deleted.ts';
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

// Only signed-in users can manage members, and only in the live environment (PLT-3, PLT-6).
const managed = { member: 'admin', environment: 'live' } as const;

// Mutations that grant access require a recent sign-in (PLT-7a).
const granted = { ...managed, proof: true } as const;

const MemberInviteInput = builder.inputType('MemberInviteInput', {
  description: 'Parameters for inviting a person to the organization.',
  fields: (t) => ({
    email: t.string({
      required: true,
      rule: { format: 'email', maxLength: 320 },
      description: 'Email address to invite. Case-insensitive.',
    }),
    role: t.field({ type: InvitedRole, required: true, description: 'Role of the new member.' }),
  }),
});

builder.mutationField('memberInvite', (t) =>
  t.field({
    type: MemberInvitation,
    description:
      "Invites a person to the organization by email. The link works for 7 days. An address can receive up to 3 invitations per hour and 5 per day from all organizations together. An organization can send up to 200 invitations per day, or 10 if the organization isn't verified. Fails with `rate_limited` above these limits.",
    errors: [['duplicate', 'the address belongs to a member or has a pending invitation']],
    access: granted,
    args: { input: t.arg({ type: MemberInviteInput, required: true }) },
    resolve: (_root, { input }, ctx) => inviteMember(ctx, input),
  }),
);

const MemberInvitationCancelInput = builder.inputType('MemberInvitationCancelInput', {
  description: 'Parameters for canceling an invitation.',
  fields: (t) => ({ id: t.id({ required: true, description: 'ID of the invitation.' }) }),
});

builder.mutationField('memberInvitationCancel', (t) =>
  t.field({
    type: DeletedObject,
    description: 'Cancels an invitation. The link in the invitation email stops working.',
    errors: [['not_found', 'the invitation was already accepted or canceled']],
    access: managed,
    args: {
      input: t.arg({ type: MemberInvitationCancelInput, required: true }),
    },
    resolve: (_root, { input }, ctx) => cancelInvitation(ctx, input.id),
  }),
);

const MemberInvitationAcceptInput = builder.inputType('MemberInvitationAcceptInput', {
  description: 'Parameters for accepting an invitation.',
  fields: (t) => ({
    token: t.string({ required: true, description: 'Token at the end of the invitation link in the email.' }),
  }),
});

builder.mutationField('memberInvitationAccept', (t) =>
  t.field({
    type: Membership,
    description:
      "Adds the signed-in person to the organization. Requires an account with the invited email address, which is compared case-insensitively. Fails with `forbidden` if the account has a different address. Accepting the invitation verifies the email address. The first verification of an address removes the account's other sessions, passkeys, and one-time codes.",
    errors: [
      ['not_found', 'the invitation is no longer valid'],
      ['duplicate', 'the person is already a member'],
      [
        'reauthentication_required',
        "the address isn't verified and the person hasn't entered the password in the last 15 minutes",
      ],
    ],
    access: { person: true },
    args: {
      input: t.arg({ type: MemberInvitationAcceptInput, required: true }),
    },
    resolve: (_root, { input }, ctx) => acceptInvitation(ctx, input.token),
  }),
);

const MemberRoleSetInput = builder.inputType('MemberRoleSetInput', {
  description: 'Parameters for changing the role of a member.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the member.' }),
    role: t.field({
      type: MemberRole,
      required: true,
      description: 'New role of the member. `owner` transfers ownership.',
    }),
  }),
});

builder.mutationField('memberRoleSet', (t) =>
  t.field({
    type: Member,
    description:
      "Changes the role of a member. Only the owner can assign `owner`, which transfers ownership and makes the previous owner an admin. Fails with `forbidden` for any other change to the owner's role.",
    errors: ['not_found', 'reauthentication_required'],
    access: granted,
    args: {
      input: t.arg({ type: MemberRoleSetInput, required: true }),
    },
    resolve: (_root, { input }, ctx) => setMemberRole(ctx, input),
  }),
);

const MemberRemoveInput = builder.inputType('MemberRemoveInput', {
  description: 'Parameters for removing a member.',
  fields: (t) => ({ id: t.id({ required: true, description: 'ID of the member.' }) }),
});

builder.mutationField('memberRemove', (t) =>
  t.field({
    type: DeletedObject,
    description:
      "Removes a member from the organization. The member loses access immediately. API keys that the member created stay valid. Limits on the member's operations are deleted. Fails with `forbidden` for the owner.",
    errors: ['not_found'],
    access: managed,
    args: { input: t.arg({ type: MemberRemoveInput, required: true }) },
    resolve: (_root, { input }, ctx) => removeMember(ctx, input.id),
  }),
);

const OrganizationClaimInput = builder.inputType('OrganizationClaimInput', {
  description: 'Parameters for claiming an organization.',
  fields: (t) => ({
    token: t.string({ required: true, description: 'Token at the end of the claim link.' }),
  }),
});

builder.mutationField('organizationClaim', (t) =>
  t.field({
    type: Membership,
    description: 'Makes the signed-in person the owner of an organization without an owner.',
    errors: [
      ['organization_already_claimed', 'the organization has an owner'],
      ['claim_not_pending', 'the link has expired or was replaced'],
    ],
    access: { person: true },
    args: { input: t.arg({ type: OrganizationClaimInput, required: true }) },
    resolve: (_root, { input }, ctx) => claimOrganization(ctx, input.token),
  }),
);

const OrganizationCreateInput = builder.inputType('OrganizationCreateInput', {
  description: 'Parameters for creating an organization owned by the signed-in person.',
  fields: (t) => ({
    name: t.string({
      required: true,
      rule: name,
      description: 'Name that customers see on pages and in emails, from 1 to 200 characters.',
    }),
    country: t.string({
      rule: { nullable: true, format: 'country' },
      description: 'Country of the organization, as an uppercase ISO 3166-1 alpha-2 code.',
    }),
    businessType: t.string({
      rule: { nullable: true, minLength: 1, maxLength: 200 },
      description: 'Type of business, up to 200 characters.',
    }),
  }),
});

builder.mutationField('organizationCreate', (t) =>
  t.field({
    type: Membership,
    description:
      'Creates an organization with its live and sandbox environments, owned by the signed-in person. A person can own up to 20 organizations. Fails with `forbidden` if provisioning is turned off.',
    access: { person: true },
    args: {
      input: t.arg({ type: OrganizationCreateInput, required: true }),
    },
    resolve: (_root, { input }, ctx) => createOwnOrganization(ctx, input),
  }),
);

const SessionEndInput = builder.inputType('SessionEndInput', {
  description: 'Parameters for ending a session.',
  fields: (t) => ({ id: t.id({ required: true, description: 'ID of the session.' }) }),
});

builder.mutationField('sessionEnd', (t) =>
  t.field({
    type: Viewer,
    description: "Ends a session of the signed-in person and closes the session's WebSocket connections.",
    errors: ['not_found'],
    access: { person: true },
    args: { input: t.arg({ type: SessionEndInput, required: true }) },
    resolve: (_root, { input }, ctx) => endOwnSession(ctx, input.id),
  }),
);

builder.mutationField('sessionsEndOthers', (t) =>
  t.field({
    type: Viewer,
    description: 'Ends every session of the signed-in person except the current session.',
    access: { person: true },
    resolve: (_root, _args, ctx) => endOthers(ctx),
  }),
);

const PasskeyUpdateInput = builder.inputType('PasskeyUpdateInput', {
  description: 'Parameters for renaming a passkey.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the passkey.' }),
    name: t.string({
      required: true,
      rule: name,
      description: 'New name of the passkey, from 1 to 200 characters.',
    }),
  }),
});

builder.mutationField('passkeyUpdate', (t) =>
  t.field({
    type: Passkey,
    description: 'Renames a passkey of the signed-in person.',
    errors: ['not_found'],
    access: { person: true, proof: true },
    args: { input: t.arg({ type: PasskeyUpdateInput, required: true }) },
    resolve: (_root, { input }, ctx) => renameOwnPasskey(ctx, input),
  }),
);

const PasskeyRemoveInput = builder.inputType('PasskeyRemoveInput', {
  description: 'Parameters for removing a passkey.',
  fields: (t) => ({ id: t.id({ required: true, description: 'ID of the passkey.' }) }),
});

builder.mutationField('passkeyRemove', (t) =>
  t.field({
    type: Viewer,
    description:
      'Removes a passkey of the signed-in person. The password and existing sessions keep working.',
    errors: ['not_found'],
    access: { person: true, proof: true },
    args: { input: t.arg({ type: PasskeyRemoveInput, required: true }) },
    resolve: (_root, { input }, ctx) => removeOwnPasskey(ctx, input.id),
  }),
);

builder.mutationField('liveTicketCreate', (t) =>
  t.field({
    type: LiveTicketType,
    description:
      'Creates a ticket that lets the signed-in person open one WebSocket connection. The connection supports live fields and queries in the environment of the request. Pass the ticket as `connectionParams: { ticket }`. The connection is closed with code 4403 when the session ends, or when the person is removed from the organization or gets a different role.',
    access: { member: 'any' },
    resolve: (_root, _args, ctx) => issueLiveTicket(ctx),
  }),
);

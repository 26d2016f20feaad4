import { builder } from '../../graphql/builder.ts';
import { readInvitation } from './invite.ts';
import { listInvitations, listMembers, listMemberships, personOf } from './service.ts';
import { InvitationView, Member, MemberInvitation, Membership, Viewer } from './types.ts';

builder.queryField('members', (t) =>
  t.field({
    type: [Member],
    description: 'The people of the organization, the one who joined first foremost; at most 500.',
    access: { member: 'member' },
    resolve: (_root, _args, context) => listMembers(context),
  }),
);

builder.queryField('memberInvitations', (t) =>
  t.field({
    type: [MemberInvitation],
    description: 'Invitations nobody has answered, expired ones included.',
    access: { member: 'admin' },
    resolve: (_root, _args, context) => listInvitations(context),
  }),
);

builder.queryField('memberships', (t) =>
  t.field({
    type: [Membership],
    description: 'The organizations of whoever has signed in, the one joined first foremost.',
    access: { person: true },
    resolve: (_root, _args, context) => listMemberships(context),
  }),
);

builder.queryField('memberInvitation', (t) =>
  t.field({
    type: InvitationView,
    description: 'What the link of an invitation stands for. `not_found` for one that is not valid any more.',
    access: { anonymous: true },
    args: { token: t.arg.string({ required: true, description: 'The last part of the address in the letter.' }) },
    resolve: (_root, { token }, context) => readInvitation(context, token),
  }),
);

builder.queryField('viewer', (t) =>
  t.field({
    type: Viewer,
    description: 'Who has signed in.',
    access: { person: true },
    resolve: (_root, _args, context) => personOf(context.caller),
  }),
);

import { useState } from 'react';
import type { ResultOf } from '../../../../ui/documents.ts';
import { ApiError } from '../../../data/api-error.ts';
import { useAction } from '../../../data/hooks.ts';
import { useHasRole, useViewer } from '../../../data/viewer.ts';
import { Badge } from '../../../kit/badge.tsx';
import { ConfirmDialog } from '../../../kit/dialog.tsx';
import { Row, Stack } from '../../../kit/layout.tsx';
import { Menu, type MenuAction } from '../../../kit/menu.tsx';
import { Table } from '../../../kit/table.tsx';
import { Hidden, Text } from '../../../kit/text.tsx';
import { DateText } from '../../../kit/values.tsx';
import { notify } from '../../../shell/notices.ts';
import { Rejection } from '../../../shell/rejection.tsx';
import type { members as memberWords } from '../../../words/en/members.ts';
import { useWords } from '../../../words/words.ts';
import {
  SettingsMemberRemoveDocument,
  SettingsMemberRoleSetDocument,
  type SettingsMembersDocument,
} from '../members.graphql';

type Member = ResultOf<typeof SettingsMembersDocument>['members'][number];
type Role = Member['role'];

/** What is about to be done to a member. */
type Change = { readonly member: Member; readonly to: Role | 'removed' };

type ConfirmProps = { readonly change: Change; readonly onClose: () => void; readonly onDone: () => void };

/** Asks before a role changes or someone is removed, and does it. */
function ConfirmChange({ change: { member, to }, onClose, onDone }: ConfirmProps) {
  const words = useWords<typeof memberWords>('members');
  const [setRole, roleState] = useAction(SettingsMemberRoleSetDocument);
  const [remove, removeState] = useAction(SettingsMemberRemoveDocument);
  const { name, id } = member;
  const confirm = async () => {
    const answer =
      to === 'removed' ? await remove({ input: { id } }) : await setRole({ input: { id, role: to } });
    if (answer instanceof ApiError) return;
    notify(to === 'removed' ? words.removed(name) : words.roleSet(name, words.roles[to]));
    onDone();
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={to === 'removed' ? words.removeTitle(name) : words.roleTitle(name, words.roles[to])}
      confirm={to === 'removed' ? words.remove : words.makeRole[to]}
      kind={to === 'removed' || to === 'owner' ? 'danger' : 'primary'}
      isPending={roleState.isRunning || removeState.isRunning}
      onConfirm={() => void confirm()}
    >
      <Stack gap={3}>
        <Text as="p">{words.consequences[to]}</Text>
        <Rejection error={roleState.error ?? removeState.error} />
      </Stack>
    </ConfirmDialog>
  );
}

type MemberTableProps = {
  readonly rows: readonly Member[];
  readonly canChange: boolean;
  readonly onChanged: () => void;
};

/** The people of the organization, with what can be done to each. */
export function MemberTable({ rows, canChange, onChanged }: MemberTableProps) {
  const words = useWords<typeof memberWords>('members');
  const { email: own } = useViewer();
  const isOwner = useHasRole('owner');
  const [change, setChange] = useState<Change | null>(null);
  const actionsOf = (member: Member): MenuAction[] => [
    ...(['admin', 'member', ...(isOwner ? (['owner'] as const) : [])] as const)
      .filter((role) => role !== member.role)
      .map((role) => ({
        id: role,
        label: words.makeRole[role],
        onAction: () => setChange({ member, to: role }),
      })),
    {
      id: 'remove',
      label: words.remove,
      tone: 'danger',
      onAction: () => setChange({ member, to: 'removed' }),
    },
  ];
  return (
    <>
      <Table
        label={words.people}
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          {
            id: 'name',
            title: words.name,
            cell: ({ name, email }) => (
              <Stack gap={0}>
                <Row gap={2}>
                  <Text weight="medium">{name}</Text>
                  {email === own && <Badge>{words.you}</Badge>}
                </Row>
                <Text size="sm" color="muted">
                  {email}
                </Text>
              </Stack>
            ),
          },
          { id: 'role', title: words.role, cell: ({ role }) => words.roles[role] },
          {
            id: 'since',
            title: words.since,
            priority: 'secondary',
            cell: ({ createdAt }) => <DateText at={createdAt} />,
          },
          {
            id: 'actions',
            title: <Hidden>{words.actions}</Hidden>,
            align: 'end',
            cell: (member) =>
              canChange &&
              member.role !== 'owner' && <Menu size="sm" kind="quiet" items={actionsOf(member)} />,
          },
        ]}
      />
      {change !== null && (
        <ConfirmChange
          change={change}
          onClose={() => setChange(null)}
          onDone={() => {
            setChange(null);
            onChanged();
          }}
        />
      )}
    </>
  );
}

import { useState } from 'react';
import type { ResultOf } from '../../../../ui/documents.ts';
import { useHasRole, useViewer } from '../../../data/viewer.ts';
import { Badge } from '../../../kit/badge.tsx';
import { Row, Stack } from '../../../kit/layout.tsx';
import { Menu, type MenuAction } from '../../../kit/menu.tsx';
import { Table } from '../../../kit/table.tsx';
import { Hidden, Text } from '../../../kit/text.tsx';
import { DateText } from '../../../kit/values.tsx';
import { AskDialog } from '../../../shell/ask-dialog.tsx';
import { useWords } from '../../../words/words.ts';
import {
  SettingsMemberRemoveDocument,
  SettingsMemberRoleSetDocument,
  type SettingsMembersDocument,
} from '../members.graphql';

type Member = ResultOf<typeof SettingsMembersDocument>['members'][number];
type Role = Member['role'];

/** New role of a member, or the removal of a member. */
type Change = { readonly member: Member; readonly to: Role | 'removed' };

type ConfirmProps = { readonly change: Change; readonly onClose: () => void; readonly onDone: () => void };

/** Confirmation before the role of a member changes or a member is removed. */
function ConfirmChange({ change: { member, to }, onClose, onDone }: ConfirmProps) {
  const words = useWords('members');
  const { name, id } = member;
  const dialog = { texts: [words.consequences[to]], onClose, onDone };
  return to === 'removed' ? (
    <AskDialog
      {...dialog}
      document={SettingsMemberRemoveDocument}
      input={{ id }}
      title={words.removeTitle({ name })}
      confirm={words.remove}
      done={words.removed({ name })}
    />
  ) : (
    <AskDialog
      {...dialog}
      document={SettingsMemberRoleSetDocument}
      input={{ id, role: to }}
      title={words.roleTitle({ name, role: words.roles[to] })}
      confirm={words.makeRole[to]}
      kind={to === 'owner' ? 'danger' : 'primary'}
      done={words.roleSet({ name, role: words.roles[to] })}
    />
  );
}

type MemberTableProps = {
  readonly rows: readonly Member[];
  readonly canChange: boolean;
  readonly onChanged: () => void;
};

/** Lists the members of the organization, with a menu for each. */
export function MemberTable({ rows, canChange, onChanged }: MemberTableProps) {
  const words = useWords('members');
  const { email: own } = useViewer();
  const isOwner = useHasRole('owner');
  const [change, setChange] = useState<Change | null>(null);
  const actionsOf = (member: Member): MenuAction[] => [
    ...(
      [
        'admin',
        'member',
        'finance',
        'support',
        'read_only',
        ...(isOwner ? (['owner'] as const) : []),
      ] as const
    )
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
        <ConfirmChange change={change} onClose={() => setChange(null)} onDone={onChanged} />
      )}
    </>
  );
}

import { useState } from 'react';
import { addressOf, useAddressSearch } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Card, Row, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { Page } from '../../kit/page.tsx';
import { RequestStatus } from '../../kit/request-status.tsx';
import { Select } from '../../kit/select.tsx';
import { EmptyState, Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { DateTime } from '../../kit/values.tsx';
import { ExportAction } from '../../lists/export-action.tsx';
import { CustomerField } from '../../parts/customer-field.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { type AuditEntryFragment, AuditLogDocument, AuditPeopleDocument } from './audit-log.graphql';

const kinds = ['member', 'key'] as const;

/** Query variables for the selected person: a kind of caller, the ID of a member or API key, or nothing for all. */
const callerOf = (person: string | undefined) => {
  const callerKind = kinds.find((kind) => kind === person);
  return person === undefined ? {} : callerKind === undefined ? { callerId: person } : { callerKind };
};

/** The export contains all requests of members. */
const everything = {};

/** Lists the changes that members and API keys requested, newest first. */
export default function AuditLogPage() {
  const title = useWords('titles').auditLog;
  const words = useWords('audit');
  const [{ person, customer }, change] = useAddressSearch();
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const { data, error, refetch } = useData(AuditLogDocument, {
    after: cursors.at(-1) ?? null,
    ...callerOf(person),
    ...(customer !== undefined && { customerId: customer }),
  });
  const page = data?.requestLog;
  const filter = (part: { readonly person?: string | undefined; readonly customer?: string | undefined }) => {
    setCursors([]);
    change(part);
  };
  return (
    <Page
      title={title}
      subtitle={words.subtitle}
      actions={<ExportAction name="auditLog" variables={everything} />}
    >
      <Stack gap={4}>
        <Row gap={3} align="end">
          <PersonFilter person={person} onChange={(id) => filter({ person: id })} />
          <CustomerField
            label={words.customer}
            placeholder={words.allCustomers}
            initialId={customer ?? null}
            onChange={(chosen) => filter({ customer: chosen?.id })}
          />
        </Row>
        {error !== null && data === null && <DataError error={error} onRetry={refetch} />}
        {page === undefined && error === null && <Loading lines={8} />}
        {page !== undefined && (
          <AuditTable rows={page.nodes} isFiltered={person !== undefined || customer !== undefined} />
        )}
        {page !== undefined && (
          <Row gap={2}>
            {cursors.length > 0 && (
              <Button onPress={() => setCursors(cursors.slice(0, -1))}>{words.newer}</Button>
            )}
            {page.pageInfo.hasNextPage && page.pageInfo.endCursor !== null && (
              <Button onPress={() => setCursors([...cursors, String(page.pageInfo.endCursor)])}>
                {words.older}
              </Button>
            )}
          </Row>
        )}
      </Stack>
    </Page>
  );
}

/** Value of the option that removes the filter. */
const all = 'all';

type PersonFilterProps = {
  readonly person: string | undefined;
  readonly onChange: (person: string | undefined) => void;
};

function PersonFilter({ person, onChange }: PersonFilterProps) {
  const words = useWords('audit');
  const { data } = useData(AuditPeopleDocument, {});
  const options = (rows: readonly { readonly id: string; readonly name: string }[] = []) =>
    rows.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Select
      label={words.person}
      value={person ?? all}
      onChange={(value) => onChange(value === all ? undefined : value)}
      groups={[
        {
          title: words.everyone,
          options: [
            { value: all, label: words.everyone },
            { value: 'member', label: words.members },
            { value: 'key', label: words.keys },
          ],
        },
        { title: words.memberGroup, options: options(data?.members) },
        { title: words.keyGroup, options: options(data?.apiKeys.nodes) },
      ]}
    />
  );
}

/** Returns the interface of a request: the dashboard for members, and the transport for API keys. */
const doorOf = ({ callerKind, transport }: AuditEntryFragment) =>
  callerKind === 'member' ? ('dashboard' as const) : transport;

type AuditRows = { readonly rows: readonly AuditEntryFragment[]; readonly isFiltered: boolean };

function AuditTable({ rows, isFiltered }: AuditRows) {
  const title = useWords('titles').auditLog;
  const words = useWords('audit');
  return (
    <Card padding="none">
      <Table
        label={title}
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          { id: 'at', title: words.time, cell: ({ createdAt }) => <DateTime at={createdAt} /> },
          {
            id: 'who',
            title: words.who,
            cell: ({ callerName }) => <Text weight="medium">{callerName ?? words.unknown}</Text>,
          },
          {
            id: 'action',
            title: words.action,
            cell: ({ id, operation }) => (
              <Link href={addressOf('requests', null, { open: id })}>
                <Text code size="sm">
                  {operation}
                </Text>
              </Link>
            ),
          },
          {
            id: 'customer',
            title: words.customer,
            cell: ({ customer }) =>
              customer === null ? (
                '–'
              ) : (
                <Link href={addressOf('customer', { id: customer.id })}>
                  {customer.fullName || customer.email}
                </Link>
              ),
          },
          {
            id: 'door',
            title: words.door,
            priority: 'secondary',
            cell: (row) => words.doors[doorOf(row)],
          },
          {
            id: 'result',
            title: words.result,
            priority: 'secondary',
            cell: ({ status, code }) => <RequestStatus status={status} code={code} />,
          },
        ]}
        empty={<EmptyState title={isFiltered ? words.empty : words.none} />}
      />
    </Card>
  );
}

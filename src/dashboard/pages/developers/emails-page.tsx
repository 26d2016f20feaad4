import { useMemo } from 'react';
import type { GridColumn } from '../../kit/grid/grid.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import type { FilterField } from '../../kit/list/filters.ts';
import type { ListState } from '../../kit/list/list-address.ts';
import { Text } from '../../kit/text.tsx';
import { DateTime } from '../../kit/values.tsx';
import { choiceField } from '../../lists/fields.ts';
import { ListPage } from '../../lists/list-page.tsx';
import { chosen, dateRange, filterBy, searchOf } from '../../lists/range.ts';
import { EmailStatus } from '../../parts/billing/status.tsx';
import { useWords } from '../../words/words.ts';
import { useDeveloperWords } from './developer-words.ts';
import { EmailListDocument, type EmailListQueryVariables, type EmailListRowFragment } from './emails.graphql';

const EmailSheet = lazyPart(() => import('./email-sheet.tsx').then((module) => module.EmailSheet));

const statuses = ['sent', 'pending', 'sending', 'failed', 'unconfirmed', 'kept', 'canceled'] as const;
const emailKinds = [
  'receipt',
  'invoice',
  'payment_failed',
  'refund',
  'credit_note',
  'trial_ending',
  'card_expiring',
  'lot_expiring',
  'commitment_ended',
  'top_up_failed',
  'top_up_paused',
  'mandate_accepted',
  'debit_notice',
  'method_needed',
  'usage_limit',
  'subscription_canceled',
  'checkout',
] as const;

function variablesOf(
  _view: string,
  state: ListState,
  now: Date,
): Pick<EmailListQueryVariables, 'filter' | 'search'> {
  const [status, kind, created] = ['status', 'kind', 'created'].map((field) => filterBy(state, field));
  const search = searchOf(state);
  return {
    filter: {
      ...(status && { statuses: chosen(status, statuses) }),
      ...(kind && { kinds: chosen(kind, emailKinds) }),
      ...(created && { createdAt: dateRange(created, now) }),
    },
    ...(search !== undefined && { search }),
  };
}

/** Lists emails to customers, with the reason if an email wasn't sent. */
export default function EmailsPage() {
  const title = useWords('titles').emails;
  const words = useDeveloperWords();
  const texts = {
    title,
    search: words.emailsSearch,
    subtitle: words.emailsAbout,
    empty: words.emailsEmpty,
    emptyFiltered: words.emailsFiltered,
    failed: words.failed,
  };
  return (
    <ListPage
      name="emails"
      words={texts}
      document={EmailListDocument}
      columns={useColumns()}
      fields={useFields()}
      variablesOf={variablesOf}
      rowKey={({ id }) => id}
      opensSheet
      sheet={({ opened, close }) => <EmailSheet id={opened} onClose={close} />}
    />
  );
}

function useColumns(): readonly GridColumn<EmailListRowFragment>[] {
  const words = useDeveloperWords();
  const { emailKind } = useWords('terms');
  return useMemo(
    () => [
      {
        id: 'subject',
        title: words.subject,
        width: 260,
        grow: 2,
        isRequired: true,
        phone: 'title',
        cell: ({ subject }) => subject ?? <Text color="muted">{words.noSubject}</Text>,
      },
      { id: 'kind', title: words.kind, width: 170, cell: ({ kind }) => emailKind[kind] },
      {
        id: 'to',
        title: words.recipient,
        width: 200,
        grow: 1,
        isRequired: true,
        cell: ({ recipient }) => recipient,
      },
      {
        id: 'status',
        title: words.status,
        width: 140,
        phone: 'line',
        cell: ({ status }) => <EmailStatus status={status} />,
      },
      {
        id: 'created',
        title: words.time,
        width: 200,
        phone: 'line',
        // In a sandbox, the event has the test clock's time.
        cell: ({ createdAt, event }) => <DateTime at={event?.timestamp ?? createdAt} />,
      },
    ],
    [words, emailKind],
  );
}

function useFields(): readonly FilterField[] {
  const words = useDeveloperWords();
  const { emailKind, emailStatus } = useWords('terms');
  return useMemo(
    () => [
      choiceField('status', words.status, statuses, emailStatus),
      choiceField('kind', words.kind, emailKinds, emailKind),
      { id: 'created', label: words.time, kind: 'date' },
    ],
    [words, emailKind, emailStatus],
  );
}

import { addressOf } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { Copy } from '../../kit/copy.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Link } from '../../kit/link.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { Loading } from '../../kit/states.tsx';
import { Count, DateTime } from '../../kit/values.tsx';
import { EmailStatus } from '../../parts/billing/status.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { useDeveloperWords } from './developer-words.ts';
import { EmailDetailsDocument, type EmailDetailsQuery } from './emails.graphql';

type Details = Extract<NonNullable<EmailDetailsQuery['node']>, { readonly recipient: string }>;

const emailOf = (node: EmailDetailsQuery['node']): Details | null =>
  node !== null && 'recipient' in node ? (node as Details) : null;

/** Sheet with an email's recipient, type, and the reason if it wasn't sent. */
export function EmailSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const words = useDeveloperWords();
  const { emailKind } = useWords('terms');
  const { data, error, refetch } = useData(EmailDetailsDocument, { id });
  const email = data === null ? null : emailOf(data.node);
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={email === null ? words.subject : (email.subject ?? emailKind[email.kind])}
      {...(email !== null && { status: <EmailStatus status={email.status} /> })}
    >
      {error !== null && <DataError error={error} onRetry={refetch} />}
      {email === null && error === null && <Loading lines={8} />}
      {email !== null && (
        <FactList
          items={[
            email.error !== null && { label: words.reason, value: email.error },
            { label: words.kind, value: emailKind[email.kind] },
            { label: words.recipient, value: email.recipient },
            {
              label: words.customer,
              value: (
                <Link href={addressOf('customer', { id: email.customer.id })}>
                  {email.customer.fullName || email.recipient}
                </Link>
              ),
            },
            email.event !== null && {
              label: words.about,
              value: (
                <Link href={addressOf('events', null, { open: email.event.id })}>{email.event.summary}</Link>
              ),
            },
            { label: words.created, value: <DateTime at={email.createdAt} /> },
            email.sentAt !== null && { label: words.sent, value: <DateTime at={email.sentAt} /> },
            email.nextAttemptAt !== null && {
              label: words.nextAttempt,
              value: <DateTime at={email.nextAttemptAt} />,
            },
            { label: words.attempts, value: <Count value={email.attempts} /> },
            { label: 'ID', value: <Copy value={email.id} /> },
          ]}
        />
      )}
    </Sheet>
  );
}

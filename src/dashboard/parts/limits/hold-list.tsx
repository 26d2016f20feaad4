import { useState } from 'react';
import { amountText } from '../../../ui/format/money.ts';
import { numberText } from '../../../ui/format/numbers.ts';
import { addressOf } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Hidden, Text } from '../../kit/text.tsx';
import { DateTime } from '../../kit/values.tsx';
import { AskDialog } from '../../shell/ask-dialog.tsx';
import { PagesOf } from '../load-more.tsx';
import { useConnection } from '../subscription/subscription-lists.tsx';
import { HoldReleaseDocument, type HoldRowFragment, HoldsDocument } from './holds.graphql';
import { useLimitWords } from './limit-words.ts';

export const holdStatuses = ['open', 'settled', 'released', 'expired'] as const;
type HoldStatus = HoldRowFragment['status'];

const tones = { open: 'info', settled: 'positive', released: 'neutral', expired: 'warning' } as const;

/** Event types that change holds. */
const liveKinds = ['hold_', 'usage_', 'limit_'] as const;

/** Status of a hold, and a mark for a settlement after the expiry. */
const Status = ({ hold: { status, isSettledLate } }: { readonly hold: HoldRowFragment }) => {
  const { holds: words } = useLimitWords();
  return (
    <Row gap={2}>
      <Badge tone={tones[status]}>{words.statuses[status]}</Badge>
      {isSettledLate && <Badge tone="warning">{words.late}</Badge>}
    </Row>
  );
};

/** Feature of a hold, with its budget and the identifier that the API client assigned. */
const Feature = ({ hold: { featureCode, budgetKey, holdId } }: { readonly hold: HoldRowFragment }) => (
  <Stack gap={0}>
    <Text code>{featureCode}</Text>
    {[budgetKey, holdId]
      .filter((text) => text !== null)
      .map((text) => (
        <Text key={text} size="sm" color="muted" code>
          {text}
        </Text>
      ))}
  </Stack>
);

/** Estimated quantity of a hold with its price. */
function Estimate({ hold: { quantity, amount, subscription } }: { readonly hold: HoldRowFragment }) {
  const { locale } = useKit();
  return (
    <Stack gap={0}>
      <Text>{numberText(Number(quantity), locale, 9)}</Text>
      {amount !== null && subscription !== null && (
        <Text size="sm" color="muted">
          {amountText(amount, subscription.currency, locale)}
        </Text>
      )}
    </Stack>
  );
}

type PageProps = {
  /** `null` to list the holds of all customers. */
  readonly customerId: string | null;
  /** `null` to list holds with any status. */
  readonly status: HoldStatus | null;
  readonly after: string | null;
  readonly onRelease: (hold: HoldRowFragment) => void;
  readonly onConnection: Parameters<typeof useConnection>[1];
};

function HoldPage({ customerId, status, after, onRelease, onConnection }: PageProps) {
  const { holds: words, customer } = useLimitWords();
  const { locale } = useKit();
  const { data, error, refetch } = useData(HoldsDocument, { customerId, status, first: 50, after });
  useConnection(data?.usageHolds, onConnection);
  useRefetchOnEvents({ kinds: liveKinds, ...(customerId !== null && { customerId }) }, refetch);
  if (error !== null) return <Callout tone="negative">{error.message}</Callout>;
  if (data === null) return <Loading />;
  return (
    <Table
      label={words.title}
      rows={data.usageHolds.nodes}
      rowKey={({ id }) => id}
      empty={status === 'open' ? words.noneOpen : words.none}
      columns={[
        ...(customerId === null
          ? [
              {
                id: 'customer',
                title: customer,
                cell: ({ customer: of }: HoldRowFragment) =>
                  of !== null && (
                    <Link href={addressOf('customer', { id: of.id }, { tab: 'limits' })}>
                      {of.fullName || of.email}
                    </Link>
                  ),
              },
            ]
          : []),
        { id: 'feature', title: words.feature, cell: (hold) => <Feature hold={hold} /> },
        { id: 'status', title: words.status, cell: (hold) => <Status hold={hold} /> },
        { id: 'estimate', title: words.estimate, align: 'end', cell: (hold) => <Estimate hold={hold} /> },
        {
          id: 'reserved',
          title: words.reserved,
          align: 'end',
          cell: ({ remaining }) => numberText(Number(remaining), locale, 9),
        },
        { id: 'expires', title: words.expires, cell: ({ expiresAt }) => <DateTime at={expiresAt} /> },
        {
          id: 'release',
          title: <Hidden>{words.release}</Hidden>,
          align: 'end',
          cell: (hold) =>
            hold.status === 'open' && (
              <Button
                size="sm"
                kind="quiet"
                aria-label={words.releaseOf({ feature: hold.featureCode })}
                onPress={() => onRelease(hold)}
              >
                {words.release}
              </Button>
            ),
        },
      ]}
    />
  );
}

type HoldListProps = Pick<PageProps, 'customerId' | 'status'>;

/** Holds of a customer or of all customers, newest first. Open holds can be released. */
export function HoldList({ customerId, status }: HoldListProps) {
  const { holds: words } = useLimitWords();
  const [released, release] = useState<HoldRowFragment | null>(null);
  const [round, setRound] = useState(0);
  return (
    <>
      <PagesOf
        key={`${status} ${round}`}
        page={(after, hand) => (
          <HoldPage
            customerId={customerId}
            status={status}
            after={after}
            onRelease={release}
            onConnection={hand}
          />
        )}
      />
      {released !== null && (
        <AskDialog
          document={HoldReleaseDocument}
          input={{ id: released.id }}
          title={words.releaseTitle}
          texts={[words.releaseText]}
          confirm={words.release}
          kind="danger"
          done={words.released}
          onDone={() => {
            release(null);
            setRound(round + 1);
          }}
          onClose={() => release(null)}
        />
      )}
    </>
  );
}

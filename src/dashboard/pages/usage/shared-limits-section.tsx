import { useState } from 'react';
import { useData } from '../../data/hooks.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { Section } from '../../kit/page.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Hidden } from '../../kit/text.tsx';
import { limitTitle, useLimitWords } from '../../parts/limits/limit-words.ts';
import type { LimitTermsFragment } from '../../parts/limits/limits.graphql';
import { PagesOf } from '../../parts/load-more.tsx';
import { useConnection } from '../../parts/subscription/subscription-lists.tsx';
import { LimitDecimal, StoredAmount } from './limit-amount.tsx';
import { UsageSharedLimitsDocument } from './limits.graphql';

const LimitSheet = lazyPart(() =>
  import('../../parts/limits/limit-sheet.tsx').then((module) => module.LimitSheet),
);

/** Event types that change the used amounts. */
const liveKinds = ['limit_', 'usage_'] as const;

type PageProps = {
  readonly onOpen: (limit: LimitTermsFragment) => void;
  readonly after: string | null;
  readonly onConnection: Parameters<typeof useConnection>[1];
};

function SharedPage({ after, onOpen, onConnection }: PageProps) {
  const words = useLimitWords();
  const { data, error, refetch } = useData(UsageSharedLimitsDocument, { first: 50, after });
  useConnection(data?.limits, onConnection);
  useRefetchOnEvents({ kinds: liveKinds }, refetch);
  if (error !== null) return <Callout tone="negative">{error.message}</Callout>;
  if (data === null) return <Loading />;
  return (
    <Table
      label={words.sharedLimits}
      rows={data.limits.nodes}
      rowKey={({ id }) => id}
      empty={words.noSharedLimits}
      columns={[
        { id: 'limit', title: words.limit, cell: (limit) => limitTitle(words, limit) },
        { id: 'applies', title: words.appliesTo, cell: ({ plan }) => plan?.name ?? words.customersTogether },
        {
          id: 'action',
          title: words.action,
          priority: 'secondary',
          cell: ({ action, status }) => (status === 'counting' ? words.counting : words.actions[action]),
        },
        {
          id: 'used',
          title: words.usedNow,
          align: 'end',
          cell: (limit) =>
            limit.states.map(({ unit, used }) => <LimitDecimal key={unit} limit={limit} decimal={used} />),
        },
        { id: 'amount', title: words.amount, align: 'end', cell: (limit) => <StoredAmount limit={limit} /> },
        {
          id: 'edit',
          title: <Hidden>{words.edit}</Hidden>,
          align: 'end',
          cell: (limit) => (
            <Button
              size="sm"
              kind="quiet"
              aria-label={words.openLimit({ name: limitTitle(words, limit) })}
              onPress={() => onOpen(limit)}
            >
              {words.edit}
            </Button>
          ),
        },
      ]}
    />
  );
}

/**
 * Limits of the organization and of plans with the amounts that all customers have used together, and a sheet that creates, edits, or
 * deletes one.
 */
export function SharedLimitsSection() {
  const words = useLimitWords();
  const [edited, edit] = useState<LimitTermsFragment | 'new' | null>(null);
  const [round, setRound] = useState(0);
  return (
    <Section
      title={words.sharedLimits}
      description={words.sharedText}
      actions={<Button onPress={() => edit('new')}>{words.createLimit}</Button>}
    >
      <PagesOf
        key={round}
        page={(after, hand) => <SharedPage after={after} onOpen={edit} onConnection={hand} />}
      />
      {edited !== null && (
        <LimitSheet
          target="shared"
          limit={edited === 'new' ? null : edited}
          currency="usd"
          onClose={() => edit(null)}
          onDone={() => {
            edit(null);
            setRound(round + 1);
          }}
        />
      )}
    </Section>
  );
}

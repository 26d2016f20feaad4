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
import { Count } from '../../kit/values.tsx';
import { limitTitle, useLimitWords } from '../../parts/limits/limit-words.ts';
import type { LimitTermsFragment } from '../../parts/limits/limits.graphql';
import { PagesOf } from '../../parts/load-more.tsx';
import { useConnection } from '../../parts/subscription/subscription-lists.tsx';
import { StoredAmount } from './limit-amount.tsx';
import { UsageTemplatesDocument, type UsageTemplatesQuery } from './limits.graphql';

const LimitSheet = lazyPart(() =>
  import('../../parts/limits/limit-sheet.tsx').then((module) => module.LimitSheet),
);

/** Event types that change the numbers of customers near the amount. */
const liveKinds = ['limit_'] as const;

type Template = UsageTemplatesQuery['limits']['nodes'][number];

type PageProps = {
  readonly after: string | null;
  readonly onOpen: (template: Template) => void;
  readonly onConnection: Parameters<typeof useConnection>[1];
};

function TemplatePage({ after, onOpen, onConnection }: PageProps) {
  const words = useLimitWords();
  const { data, error, refetch } = useData(UsageTemplatesDocument, { first: 50, after });
  useConnection(data?.limits, onConnection);
  useRefetchOnEvents({ kinds: liveKinds }, refetch);
  if (error !== null) return <Callout tone="negative">{error.message}</Callout>;
  if (data === null) return <Loading />;
  const appliesTo = ({ scope, plan, customer }: Template) => {
    const kind = scope.each ?? '';
    const of = plan?.name ?? (customer === null ? null : customer.fullName || customer.email);
    if (kind === 'customer') return of === null ? words.customersAll : words.customersOf({ of });
    return of === null ? words.kindAll({ kind }) : words.kindOf({ kind, of });
  };
  return (
    <Table
      label={words.templates}
      rows={data.limits.nodes}
      rowKey={({ id }) => id}
      empty={words.noTemplates}
      columns={[
        { id: 'limit', title: words.limit, cell: (limit) => limitTitle(words, limit) },
        { id: 'applies', title: words.appliesTo, cell: appliesTo },
        {
          id: 'action',
          title: words.action,
          priority: 'secondary',
          cell: ({ action }) => words.actions[action],
        },
        { id: 'amount', title: words.amount, align: 'end', cell: (limit) => <StoredAmount limit={limit} /> },
        {
          id: 'near',
          title: words.near,
          align: 'end',
          cell: ({ nodeCounts }) => <Count value={nodeCounts.near} />,
        },
        {
          id: 'reached',
          title: words.reached,
          align: 'end',
          cell: ({ nodeCounts }) => <Count value={nodeCounts.reached} />,
        },
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

/** Templates with the numbers of customers and budgets near the amount, and a sheet that creates, edits, or deletes one. */
export function TemplatesSection() {
  const words = useLimitWords();
  const [edited, edit] = useState<LimitTermsFragment | 'new' | null>(null);
  const [round, setRound] = useState(0);
  return (
    <Section
      title={words.templates}
      description={words.templatesText}
      actions={
        <Button kind="primary" onPress={() => edit('new')}>
          {words.createTemplate}
        </Button>
      }
    >
      <PagesOf
        key={round}
        page={(after, hand) => <TemplatePage after={after} onOpen={edit} onConnection={hand} />}
      />
      {edited !== null && (
        <LimitSheet
          target="template"
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

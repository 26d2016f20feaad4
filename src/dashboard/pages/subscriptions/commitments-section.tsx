import { useCommandAddress } from '../../commands/actions.tsx';
import { useCommandWords } from '../../commands/fields.tsx';
import { useData } from '../../data/hooks.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Section } from '../../kit/page.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Hidden, Text } from '../../kit/text.tsx';
import { DateText, Money } from '../../kit/values.tsx';
import { InvoiceLink } from '../../parts/billing/invoice-link.tsx';
import { PagesOf } from '../../parts/load-more.tsx';
import {
  SubscriptionCommitmentsDocument,
  type SubscriptionCommitmentsQuery,
} from '../../parts/subscription/commitments.graphql';
import { useConnection } from '../../parts/subscription/subscription-lists.tsx';
import type { SubscriptionTermsFragment } from '../../parts/subscription/terms.graphql';
import { useSubscriptionWords } from '../../parts/subscription-words.ts';
import { useAmountText } from '../../parts/units.ts';

type Commitment = SubscriptionCommitmentsQuery['subscription']['commitments']['nodes'][number];

/** Formats an amount of a commitment's asset. */
const Amount = ({ asset, value }: { readonly asset: string; readonly value: number }) => (
  <>{useAmountText(asset)(value)}</>
);

/** End of a commitment's term, and its effects. */
function TermEnd({
  commitment: { status, autoRenew, atEnd, expiresAt },
}: {
  readonly commitment: Commitment;
}) {
  const { commitments: words } = useSubscriptionWords();
  const effects =
    status === 'ended'
      ? [words.ended]
      : [autoRenew ? words.renews : words.stops, ...(atEnd === 'roll_once' ? [words.rolls] : [])];
  return (
    <Stack gap={0}>
      {expiresAt !== null && <DateText at={expiresAt} />}
      {effects.map((effect) => (
        <Text key={effect} size="sm" color="muted">
          {effect}
        </Text>
      ))}
    </Stack>
  );
}

type TableProps = { readonly commitments: readonly Commitment[]; readonly currency: string };

function CommitmentTable({ commitments, currency }: TableProps) {
  const { commitments: words } = useSubscriptionWords();
  const { open } = useCommandAddress();
  return (
    <Table
      label={words.title}
      rows={commitments}
      rowKey={({ id }) => id}
      empty={words.none}
      columns={[
        {
          id: 'description',
          title: words.description,
          cell: ({ description, invoice }) => (
            <Stack gap={0}>
              <Text>{description}</Text>
              {invoice !== null && <InvoiceLink id={invoice.id} number={invoice.invoiceNumber} />}
            </Stack>
          ),
        },
        {
          id: 'price',
          title: words.price,
          align: 'end',
          priority: 'secondary',
          cell: ({ price }) => <Money minor={price} currency={currency} />,
        },
        {
          id: 'granted',
          title: words.granted,
          align: 'end',
          priority: 'secondary',
          cell: ({ asset, grant }) => <Amount asset={asset} value={grant} />,
        },
        {
          id: 'used',
          title: words.used,
          align: 'end',
          priority: 'secondary',
          cell: ({ asset, drawn }) => <Amount asset={asset} value={drawn} />,
        },
        {
          id: 'remaining',
          title: words.remaining,
          align: 'end',
          cell: ({ asset, remaining }) => <Amount asset={asset} value={remaining} />,
        },
        {
          id: 'ends',
          title: words.ends,
          cell: (commitment) => <TermEnd commitment={commitment} />,
        },
        {
          id: 'actions',
          title: <Hidden>{words.change}</Hidden>,
          cell: ({ id, status }) =>
            status === 'active' && (
              <Row gap={1}>
                <Button size="sm" kind="quiet" onPress={() => open('commitmentUpdate', id)}>
                  {words.change}
                </Button>
              </Row>
            ),
        },
      ]}
    />
  );
}

type PageProps = {
  readonly subscription: SubscriptionTermsFragment;
  readonly after: string | null;
  readonly onConnection: Parameters<typeof useConnection>[1];
};

function CommitmentPage({ subscription: { id, currency }, after, onConnection }: PageProps) {
  const { data, error, refetch } = useData(SubscriptionCommitmentsDocument, { id, first: 20, after });
  useRefetchOnEvents({ objectId: id }, refetch);
  const commitments = data?.subscription.commitments;
  useConnection(commitments, onConnection);
  if (error !== null) return <Callout tone="negative">{error.message}</Callout>;
  return commitments === undefined ? (
    <Loading />
  ) : (
    <CommitmentTable commitments={commitments.nodes} currency={currency} />
  );
}

/** Lists the prepaid commitments of a subscription, newest first. */
export function CommitmentsSection({ subscription }: { readonly subscription: SubscriptionTermsFragment }) {
  const { commitments: words } = useSubscriptionWords();
  const commands = useCommandWords();
  const { open } = useCommandAddress();
  const canPurchase = ['trialing', 'active', 'past_due'].includes(subscription.status);
  return (
    <Section
      title={words.title}
      actions={
        canPurchase && (
          <Button size="sm" onPress={() => open('commitmentPurchase')}>
            {commands.commitmentPurchase.title}
          </Button>
        )
      }
    >
      <PagesOf
        page={(after, hand) => (
          <CommitmentPage subscription={subscription} after={after} onConnection={hand} />
        )}
      />
    </Section>
  );
}

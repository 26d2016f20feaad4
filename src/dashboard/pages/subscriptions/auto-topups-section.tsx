import { moneyText } from '../../../ui/format/money.ts';
import { useCommandAddress } from '../../commands/actions.tsx';
import { useCommandWords } from '../../commands/fields.tsx';
import { useData } from '../../data/hooks.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { Button } from '../../kit/button.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Section } from '../../kit/page.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { DateText, Money } from '../../kit/values.tsx';
import { InvoiceLink } from '../../parts/billing/invoice-link.tsx';
import {
  SubscriptionAutoTopUpsDocument,
  type SubscriptionAutoTopUpsQuery,
} from '../../parts/subscription/auto-topups.graphql';
import type { SubscriptionTermsFragment } from '../../parts/subscription/terms.graphql';
import { useSubscriptionWords } from '../../parts/subscription-words.ts';
import { useAmountText } from '../../parts/units.ts';

type TopUp = SubscriptionAutoTopUpsQuery['subscription']['customer']['autoTopUps'][number];

type Props = { readonly topUp: TopUp; readonly currency: string };

/** Status and terms of a top-up, the purchases of the month, and the reason if the account isn't topped up. */
function Terms({ topUp, currency }: Props) {
  const { autoTopUps: words } = useSubscriptionWords();
  const { locale } = useKit();
  const amountText = useAmountText(topUp.asset);
  const { status, threshold, refill, maxPerMonth, maxAmountPerMonth, reason, usedThisMonth } = topUp;
  const money = (amount: number): string => moneyText(amount, currency, locale);
  const limit = amountText(threshold);
  const terms =
    refill.amount !== null
      ? words.amount({ limit, amount: money(refill.amount) })
      : refill.target !== null
        ? words.target({ limit, target: amountText(refill.target) })
        : words.packs({ limit, count: refill.quantity ?? 1 });
  return (
    <Stack gap={1}>
      <Text as="p">
        {words.status[status]} {terms}
      </Text>
      <Text as="p" size="sm" color="muted">
        {words.used({
          count: usedThisMonth.count,
          most: maxPerMonth,
          amount: money(usedThisMonth.amount),
          limit: money(maxAmountPerMonth),
        })}
      </Text>
      {reason !== null && <Text as="p">{words.reasons[reason]}</Text>}
    </Stack>
  );
}

/** Attempts of a top-up, newest first. */
function Attempts({ topUp }: Pick<Props, 'topUp'>) {
  const { autoTopUps: words } = useSubscriptionWords();
  return (
    <Table
      label={words.attempts}
      rows={topUp.attempts.nodes}
      rowKey={({ id }) => id}
      empty={words.none}
      columns={[
        { id: 'date', title: words.date, cell: ({ createdAt }) => <DateText at={createdAt} /> },
        {
          id: 'result',
          title: words.result,
          cell: ({ status, reason, invoice }) => (
            <Stack gap={0}>
              <Text>{words.results[status]}</Text>
              {reason !== null && (
                <Text size="sm" color="muted">
                  {words.reasons[reason]}
                </Text>
              )}
              {invoice !== null && <InvoiceLink id={invoice.id} number={invoice.invoiceNumber} />}
            </Stack>
          ),
        },
        {
          id: 'price',
          title: words.price,
          align: 'end',
          cell: ({ amount, currency }) => amount > 0 && <Money minor={amount} currency={currency} />,
        },
      ]}
    />
  );
}

/** Buttons that change and remove a top-up, and resume it if it's paused. */
function Actions({ topUp: { asset, status } }: Pick<Props, 'topUp'>) {
  const words = useCommandWords();
  const { open } = useCommandAddress();
  return (
    <>
      <Button size="sm" onPress={() => open('autoTopUpSet', asset)}>
        {words.autoTopUpSet.title}
      </Button>
      {status === 'paused' && (
        <Button size="sm" onPress={() => open('autoTopUpResume', asset)}>
          {words.autoTopUpResume.title}
        </Button>
      )}
      <Button size="sm" kind="quiet" onPress={() => open('autoTopUpRemove', asset)}>
        {words.autoTopUpRemove.title}
      </Button>
    </>
  );
}

/** Shows the automatic top-ups of a subscription with their attempts. Not shown if no account is topped up automatically. */
export function AutoTopUpsSection({ subscription }: { readonly subscription: SubscriptionTermsFragment }) {
  const { autoTopUps: words } = useSubscriptionWords();
  const { id, currency } = subscription;
  const { data, refetch } = useData(SubscriptionAutoTopUpsDocument, { id });
  useRefetchOnEvents({ objectId: id }, refetch);
  const topUps = (data?.subscription.customer.autoTopUps ?? []).filter((row) => row.subscription.id === id);
  return topUps.map((topUp) => (
    <Section key={topUp.id} title={words.title({ asset: topUp.asset })} actions={<Actions topUp={topUp} />}>
      <Terms topUp={topUp} currency={currency} />
      <Attempts topUp={topUp} />
    </Section>
  ));
}

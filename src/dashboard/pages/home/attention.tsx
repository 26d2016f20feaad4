import { useState } from 'react';
import { moneyText } from '../../../ui/format/money.ts';
import { addressOf } from '../../address.ts';
import { AttentionDocument, type AttentionLineFragment } from '../../data/attention.graphql';
import { useData } from '../../data/hooks.ts';
import { useStore } from '../../data/store.ts';
import { Button } from '../../kit/button.tsx';
import { Card, Row, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Loading } from '../../kit/states.tsx';
import { Text } from '../../kit/text.tsx';
import { RelativeTime } from '../../kit/values.tsx';
import { attention } from '../../shell/attention.ts';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { hiddenKinds, hideKind, showAll } from './hidden-attention.ts';

type Item = AttentionLineFragment;

/** Returns the URL of the page that resolves an attention item. `null` if there is no such page. */
function placeOf({ kind, count, sample }: Item): string | null {
  // A single customer is opened directly.
  const [first] = count.value === 1 ? sample : [];
  const id = first !== undefined && first.__typename === 'Customer' ? first.id : null;
  switch (kind) {
    case 'approval_waiting':
      return addressOf('approvals', null, { status: 'pending' });
    case 'limit_reached':
      return id === null
        ? addressOf('usageLimits', null, { cause: 'rejected' })
        : addressOf('customer', { id }, { tab: 'limits' });
    case 'limit_unpriced':
      return addressOf('usageLimits', null, {});
    case 'auto_topup_paused':
      return id === null
        ? addressOf('events', null, { event: 'auto_topup_paused' })
        : addressOf('customer', { id }, { tab: 'credits' });
    case 'stuck_deadline':
      return addressOf('events', null, { event: 'deadline_failed' });
    case 'past_due_subscription':
      return addressOf('subscriptions', null, { status: 'past_due' });
    case 'overdue_invoice':
      return addressOf('invoices', null, { view: 'overdue' });
    case 'open_dispute':
      return addressOf('payments', null, { view: 'disputed' });
    case 'failed_payout':
      return addressOf('payouts', null, { status: 'failed' });
    case 'verification_wanted':
      return addressOf('payouts', null, { open: 'verification' });
    case 'trial_ending':
      return addressOf('subscriptions', null, { status: 'trialing' });
    case 'expiring_card':
      return addressOf('events', null, { event: 'payment_method_expiring' });
    case 'abandoned_checkout':
      return addressOf('subscriptions', null, { status: 'pending_payment' });
    default:
      return null;
  }
}

/** Lists items that need attention, each with a button. Updates live. The user can hide a type of item for a day. */
export function Attention() {
  const words = useWords('home');
  const { now } = useKit();
  const { data, error, refetch } = useData(AttentionDocument, {});
  const [hidden, setHidden] = useState(() => hiddenKinds(new Date()));
  const items = useStore(attention) ?? data?.attention ?? [];
  const shown = items.filter(({ kind }) => !hidden.includes(kind));
  const hide = (kind: string) => setHidden(hideKind(kind, new Date()));
  return (
    <Card title={words.attention}>
      <Stack gap={3}>
        {error !== null && <DataError error={error} onRetry={refetch} />}
        {data === null && error === null && <Loading lines={3} />}
        {data !== null && shown.length === 0 && <Text color="muted">{words.nothing}</Text>}
        {shown.map((item) => (
          <Line key={item.kind} item={item} now={now()} onHide={() => hide(item.kind)} />
        ))}
        {shown.length < items.length && (
          <Row>
            <Button kind="quiet" size="sm" onPress={() => setHidden(showAll())}>
              {words.hidden({ count: items.length - shown.length })}
            </Button>
          </Row>
        )}
      </Stack>
    </Card>
  );
}

type LineProps = { readonly item: Item; readonly now: Date; readonly onHide: () => void };

function Line({ item, onHide }: LineProps) {
  const { locale } = useKit();
  const words = useWords('home');
  const amounts = item.amounts.map(({ amount, currency }) => moneyText(amount, currency, locale));
  const place = placeOf(item);
  const kind = words.kinds[item.kind];
  const title =
    typeof kind === 'string' ? kind : kind({ count: item.count.value, isExact: item.count.isExact });
  const text = [title, ...amounts].join(' · ');
  return (
    <Stack gap={0}>
      {place === null ? (
        <Text weight="medium">{text}</Text>
      ) : (
        <Link kind="text" href={place}>
          {text}
        </Link>
      )}
      <Row gap={2} justify="between">
        <Text size="sm" color="muted">
          <RelativeTime at={item.oldestAt} />
        </Text>
        <Button kind="quiet" size="sm" onPress={onHide}>
          {words.hide}
        </Button>
      </Row>
    </Stack>
  );
}

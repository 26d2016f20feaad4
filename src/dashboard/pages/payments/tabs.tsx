import { addressOf } from '../../address.ts';
import { LinkTabs } from '../../kit/link-tabs.tsx';
import type { payments } from '../../words/en/payments.ts';
import { useWords } from '../../words/words.ts';

/** The lists of the area: attempts, refunds, open disputes, and links with one-time payments. */
export function PaymentTabs({
  selected,
}: {
  readonly selected: 'attempts' | 'refunds' | 'disputes' | 'links';
}) {
  const words = useWords<typeof payments>('payments');
  return (
    <LinkTabs
      label={words.lists}
      selected={selected}
      items={[
        { id: 'attempts', label: words.tabs.attempts, href: addressOf('payments') },
        { id: 'refunds', label: words.tabs.refunds, href: addressOf('refunds') },
        { id: 'disputes', label: words.tabs.disputes, href: addressOf('disputes') },
        { id: 'links', label: words.tabs.links, href: addressOf('paymentLinks') },
      ]}
    />
  );
}

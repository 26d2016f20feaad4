import { addressOf } from '../../address.ts';
import { LinkTabs } from '../../kit/link-tabs.tsx';
import { useWords } from '../../words/words.ts';

/** Tabs for payment attempts, refunds, open disputes, and payment links with one-time payments. */
export function PaymentTabs({
  selected,
}: {
  readonly selected: 'attempts' | 'refunds' | 'disputes' | 'links';
}) {
  const words = useWords('payments');
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

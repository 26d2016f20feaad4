import { addressOf } from '../../address.ts';
import { LinkTabs } from '../../kit/link-tabs.tsx';
import type { payments } from '../../words/en/payments.ts';
import { useWords } from '../../words/words.ts';

/** The lists of the area: attempts, and links with one-time payments. */
export function PaymentTabs({ selected }: { readonly selected: 'attempts' | 'links' }) {
  const words = useWords<typeof payments>('payments');
  return (
    <LinkTabs
      label={words.lists}
      selected={selected}
      items={[
        { id: 'attempts', label: words.tabs.attempts, href: addressOf('payments') },
        { id: 'links', label: words.tabs.links, href: addressOf('paymentLinks') },
      ]}
    />
  );
}

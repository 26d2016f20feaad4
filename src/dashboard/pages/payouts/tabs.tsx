import { addressOf } from '../../address.ts';
import { LinkTabs } from '../../kit/link-tabs.tsx';
import { useWords } from '../../words/words.ts';

/** Tabs for payouts and the transactions of the payout balance. */
export function PayoutTabs({ selected }: { readonly selected: 'payouts' | 'balance' }) {
  const words = useWords('payouts');
  return (
    <LinkTabs
      label={words.lists}
      selected={selected}
      items={[
        { id: 'payouts', label: words.tabs.payouts, href: addressOf('payouts') },
        { id: 'balance', label: words.tabs.balance, href: addressOf('balance') },
      ]}
    />
  );
}

import { addressOf } from '../../address.ts';
import { LinkTabs } from '../../kit/link-tabs.tsx';
import type { payouts } from '../../words/en/payouts.ts';
import { useWords } from '../../words/words.ts';

/** The lists of the area: payouts, and what changed the balance they are taken from. */
export function PayoutTabs({ selected }: { readonly selected: 'payouts' | 'balance' }) {
  const words = useWords<typeof payouts>('payouts');
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

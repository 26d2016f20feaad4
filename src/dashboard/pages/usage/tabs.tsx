import { addressOf } from '../../address.ts';
import { LinkTabs } from '../../kit/link-tabs.tsx';
import { useWords } from '../../words/words.ts';

/** Tabs for usage events, limits with their history, and holds. */
export function UsageTabs({ selected }: { readonly selected: 'events' | 'limits' | 'holds' }) {
  const { tabs: words } = useWords('usage');
  return (
    <LinkTabs
      label={words.label}
      selected={selected}
      items={[
        { id: 'events', label: words.events, href: addressOf('usage') },
        { id: 'limits', label: words.limits, href: addressOf('usageLimits') },
        { id: 'holds', label: words.holds, href: addressOf('usageHolds') },
      ]}
    />
  );
}

import { addressOf } from '../../address.ts';
import { LinkTabs } from '../../kit/link-tabs.tsx';
import { useWords } from '../../words/words.ts';

/** Tabs for invoices and credit notes. */
export function InvoiceTabs({ selected }: { readonly selected: 'invoices' | 'creditNotes' }) {
  const words = useWords('invoices');
  return (
    <LinkTabs
      label={words.lists}
      selected={selected}
      items={[
        { id: 'invoices', label: words.tabs.invoices, href: addressOf('invoices') },
        { id: 'creditNotes', label: words.tabs.creditNotes, href: addressOf('creditNotes') },
      ]}
    />
  );
}

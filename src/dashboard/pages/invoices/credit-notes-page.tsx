import { useMemo } from 'react';
import type { GridColumn } from '../../kit/grid/grid.tsx';
import type { FilterField } from '../../kit/list/filters.ts';
import { Text } from '../../kit/text.tsx';
import { DateText, Money } from '../../kit/values.tsx';
import { choiceField } from '../../lists/fields.ts';
import { ListPage } from '../../lists/list-page.tsx';
import { ListTotals } from '../../parts/billing/list-totals.tsx';
import { creditNoteTotals } from '../../parts/billing/totals.ts';
import { customerColumn } from '../../parts/customer-column.tsx';
import { useTerms } from '../../parts/terms.ts';
import { useWords } from '../../words/words.ts';
import { CreditNoteSheet } from './credit-note-sheet.tsx';
import { CreditNotesDocument, type ListedCreditNoteFragment } from './credit-notes.graphql';
import { creditNoteReasons, creditNoteVariables } from './list-variables.ts';
import { InvoiceTabs } from './tabs.tsx';

/** Event types that change the list. */
const liveKinds = ['credit_note_'] as const;

/** Lists all credit notes, with the credited amounts and the credited tax. */
export default function CreditNotesPage() {
  const words = useWords('invoices');
  const { creditNotes } = words;
  return (
    <ListPage
      name="creditNotes"
      words={{ title: words.tabs.creditNotes, ...creditNotes }}
      document={CreditNotesDocument}
      columns={useCreditNoteColumns()}
      fields={useCreditNoteFields()}
      variablesOf={creditNoteVariables}
      rowKey={({ id }) => id}
      live={liveKinds}
      opensSheet
      sheet={({ opened, close }) => <CreditNoteSheet id={opened} onClose={close} />}
      tabs={<InvoiceTabs selected="creditNotes" />}
      head={(variables) => (
        <ListTotals
          document={CreditNotesDocument}
          variables={variables}
          linesOf={(totals, money) =>
            creditNoteTotals(totals).map(({ currency, count, credited, tax }) => ({
              currency,
              texts: [
                creditNotes.totals.count({ count }),
                creditNotes.totals.total({ amount: money(credited, currency) }),
                creditNotes.totals.tax({ amount: money(tax, currency) }),
              ],
            }))
          }
        />
      )}
    />
  );
}

function useCreditNoteColumns(): readonly GridColumn<ListedCreditNoteFragment>[] {
  const { customer: customerTitle, creditNotes: words } = useWords('invoices');
  const { creditNote: terms } = useTerms();
  return useMemo(
    () => [
      {
        id: 'number',
        title: terms.number,
        width: 110,
        isSortable: true,
        isRequired: true,
        phone: 'title',
        cell: ({ creditNoteNumber }) => <Text weight="medium">{creditNoteNumber}</Text>,
      },
      customerColumn(customerTitle, 'line'),
      {
        id: 'invoice',
        title: words.invoice,
        width: 110,
        phone: 'line',
        cell: ({ invoice }) => invoice.invoiceNumber,
      },
      {
        id: 'reason',
        title: terms.reason,
        width: 140,
        grow: 1,
        phone: 'line',
        cell: ({ reason }) => terms.reasons[reason],
      },
      {
        id: 'issued',
        title: terms.issued,
        width: 115,
        cell: ({ issueDate }) => <DateText at={issueDate} />,
      },
      {
        id: 'tax',
        title: words.tax,
        width: 110,
        align: 'end',
        isShown: false,
        cell: ({ taxAmount, currency }) => <Money minor={taxAmount} currency={currency} />,
      },
      {
        id: 'total',
        title: terms.amount,
        width: 120,
        align: 'end',
        phone: 'end',
        cell: ({ total, currency }) => <Money minor={total} currency={currency} />,
      },
    ],
    [customerTitle, words, terms],
  );
}

function useCreditNoteFields(): readonly FilterField[] {
  const { creditNote: terms } = useTerms();
  return useMemo(
    () => [
      choiceField('reason', terms.reason, creditNoteReasons, terms.reasons),
      { id: 'issued', label: terms.issued, kind: 'date' },
    ],
    [terms],
  );
}

import { useState } from 'react';
import { moneyText } from '../../../ui/format/money.ts';
import { addressOf } from '../../address.ts';
import { useIsAllowed } from '../../data/viewer.ts';
import { LinkButton } from '../../kit/button.tsx';
import { Row } from '../../kit/layout.tsx';
import { Menu } from '../../kit/menu.tsx';
import { useKit } from '../../kit/provider.tsx';
import { AskDialog } from '../../shell/ask-dialog.tsx';
import { useWords } from '../../words/words.ts';
import { SendInvoiceDocument, UpdateInvoiceStatusDocument } from './invoice.graphql';
import type { InvoiceView } from './invoice-view.ts';

type Dialog = 'send' | 'paid' | 'void' | null;

type ActionsProps = { readonly invoice: InvoiceView; readonly onDone: (text: string) => void };

/** Buttons for invoice actions. Each opens a confirmation. */
export function InvoiceActions({ invoice, onDone }: ActionsProps) {
  const words = useWords('invoices');
  const [dialog, setDialog] = useState<Dialog>(null);
  const isOpen = invoice.status === 'outstanding' || invoice.status === 'uncollectible';
  const paid = invoice.transactions.find(({ status }) => status === 'succeeded');
  const canSend = useIsAllowed('invoiceSend');
  const canSettle = useIsAllowed('invoiceStatusUpdate');
  const canRefund = useIsAllowed('transactionRefund');
  const close = () => setDialog(null);
  const done = (text: string) => {
    close();
    onDone(text);
  };
  return (
    <Row>
      <LinkButton href={invoice.downloadUrl} target="_blank">
        {words.download}
      </LinkButton>
      <Menu
        items={[
          ...(canSend ? [{ id: 'send', label: words.send, onAction: () => setDialog('send') }] : []),
          ...(isOpen && canSettle
            ? [
                { id: 'paid', label: words.markPaid, onAction: () => setDialog('paid') },
                { id: 'void', label: words.void, tone: 'danger' as const, onAction: () => setDialog('void') },
              ]
            : []),
          ...(paid === undefined || !canRefund
            ? []
            : [
                {
                  id: 'refund',
                  label: words.refund,
                  href: addressOf('payment', { id: paid.id }, { do: 'refund' }),
                },
              ]),
        ]}
      />
      {dialog === 'send' && <Send invoice={invoice} onClose={close} onDone={done} />}
      {(dialog === 'paid' || dialog === 'void') && (
        <Settle invoice={invoice} status={dialog} onClose={close} onDone={done} />
      )}
    </Row>
  );
}

type DialogProps = {
  readonly invoice: InvoiceView;
  readonly onClose: () => void;
  readonly onDone: (text: string) => void;
};

function Send({ invoice, onClose, onDone }: DialogProps) {
  const words = useWords('invoices');
  const { email } = invoice.buyer;
  const number = invoice.invoiceNumber;
  return (
    <AskDialog
      document={SendInvoiceDocument}
      input={{ id: invoice.id }}
      kind="primary"
      title={words.sendTitle({ number })}
      texts={[words.sendText({ email })]}
      confirm={words.sendAction}
      onDone={({ invoiceSend }) => onDone(invoiceSend.sent ? words.sent({ number, email }) : words.notSent)}
      onClose={onClose}
    />
  );
}

function Settle({ invoice, status, onClose, onDone }: DialogProps & { readonly status: 'paid' | 'void' }) {
  const { locale } = useKit();
  const words = useWords('invoices');
  const number = invoice.invoiceNumber;
  const amount = moneyText(invoice.amountDue, invoice.currency, locale);
  const texts = {
    paid: {
      title: words.markPaidTitle({ number }),
      text: words.markPaidText({ amount }),
      action: words.markPaidAction({ amount }),
      done: words.markedPaid({ number }),
    },
    void: {
      title: words.voidTitle({ number }),
      text: words.voidText({ amount }),
      action: words.voidAction,
      done: words.voided({ number }),
    },
  }[status];
  return (
    <AskDialog
      document={UpdateInvoiceStatusDocument}
      input={{ id: invoice.id, status }}
      kind={status === 'void' ? 'danger' : 'primary'}
      title={texts.title}
      texts={[texts.text]}
      confirm={texts.action}
      onDone={() => onDone(texts.done)}
      onClose={onClose}
    />
  );
}

import { useState } from 'react';
import { moneyText } from '../../../ui/format/money.ts';
import { addressOf } from '../../address.ts';
import { ApiError } from '../../data/api-error.ts';
import { useAction } from '../../data/hooks.ts';
import { LinkButton } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/dialog.tsx';
import { Row } from '../../kit/layout.tsx';
import { Menu } from '../../kit/menu.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Text } from '../../kit/text.tsx';

import { Rejection } from '../../shell/rejection.tsx';
import type { invoices } from '../../words/en/invoices.ts';
import { useWords } from '../../words/words.ts';
import { SendInvoiceDocument, UpdateInvoiceStatusDocument } from './invoice.graphql';
import type { InvoiceView } from './invoice-view.ts';

type Dialog = 'send' | 'paid' | 'void' | null;

type ActionsProps = { readonly invoice: InvoiceView; readonly onDone: (text: string) => void };

/** What can be done with an invoice, each after saying what happens. */
export function InvoiceActions({ invoice, onDone }: ActionsProps) {
  const words = useWords<typeof invoices>('invoices');
  const [dialog, setDialog] = useState<Dialog>(null);
  const isOpen = invoice.status === 'outstanding' || invoice.status === 'uncollectible';
  const paid = invoice.transactions.find(({ status }) => status === 'succeeded');
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
          { id: 'send', label: words.send, onAction: () => setDialog('send') },
          ...(isOpen
            ? [
                { id: 'paid', label: words.markPaid, onAction: () => setDialog('paid') },
                { id: 'void', label: words.void, tone: 'danger' as const, onAction: () => setDialog('void') },
              ]
            : []),
          ...(paid === undefined
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
  const words = useWords<typeof invoices>('invoices');
  const [send, { isRunning, error }] = useAction(SendInvoiceDocument);
  const { email } = invoice.buyer;
  const number = invoice.invoiceNumber;
  const confirm = async () => {
    const result = await send({ input: { id: invoice.id } });
    if (result instanceof ApiError) return;
    onDone(result.invoiceSend.sent ? words.sent({ number, email }) : words.notSent);
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      kind="primary"
      title={words.sendTitle({ number })}
      confirm={words.sendAction({ email })}
      onConfirm={confirm}
      isPending={isRunning}
    >
      <Text as="p">{words.sendText({ email })}</Text>
      <Rejection error={error} />
    </ConfirmDialog>
  );
}

function Settle({ invoice, status, onClose, onDone }: DialogProps & { readonly status: 'paid' | 'void' }) {
  const { locale } = useKit();
  const words = useWords<typeof invoices>('invoices');
  const [update, { isRunning, error }] = useAction(UpdateInvoiceStatusDocument);
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
      action: words.voidAction({ amount }),
      done: words.voided({ number }),
    },
  }[status];
  const confirm = async () => {
    const result = await update({ input: { id: invoice.id, status } });
    if (!(result instanceof ApiError)) onDone(texts.done);
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      kind={status === 'void' ? 'danger' : 'primary'}
      title={texts.title}
      confirm={texts.action}
      onConfirm={confirm}
      isPending={isRunning}
    >
      <Text as="p">{texts.text}</Text>
      <Rejection error={error} />
    </ConfirmDialog>
  );
}

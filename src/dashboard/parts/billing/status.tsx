import { plainText } from '../../../ui/format/names.ts';
import { Status } from '../../kit/badge.tsx';
import type { Tone } from '../../kit/tone.ts';
import type { Words } from '../../words/words.ts';
import { useTerms } from '../terms.ts';

// Statuses of billing objects. Each status has the same tone and label on every page.

type Terms = Words['terms'];
type Tones<Name extends keyof Terms> = Readonly<Record<keyof Terms[Name], Tone>>;

const subscriptionTones: Tones<'subscriptionStatus'> = {
  draft: 'neutral',
  pending_payment: 'warning',
  trialing: 'info',
  active: 'positive',
  past_due: 'negative',
  canceled: 'neutral',
};

const invoiceTones: Tones<'invoiceStatus'> = {
  draft: 'neutral',
  outstanding: 'info',
  paid: 'positive',
  void: 'neutral',
  uncollectible: 'negative',
};

const transactionTones: Tones<'transactionStatus'> = {
  pending: 'info',
  succeeded: 'positive',
  failed: 'negative',
  refunded: 'neutral',
  disputed: 'warning',
};

const paymentTones: Tones<'paymentStatus'> = {
  pending: 'info',
  processing: 'info',
  requires_action: 'warning',
  succeeded: 'positive',
  failed: 'negative',
  canceled: 'neutral',
};

const emailTones: Tones<'emailStatus'> = {
  pending: 'info',
  sending: 'info',
  sent: 'positive',
  failed: 'negative',
  canceled: 'neutral',
  kept: 'info',
  unconfirmed: 'warning',
};

type InvoiceState = keyof Terms['invoiceStatus'];

/** Fields of an invoice that determine how its status is shown. */
type InvoiceProgress = {
  readonly status: InvoiceState;
  readonly dueDate: string;
  readonly finalizedAt: string | null;
};

/** True for the invoice of an open checkout. Its amount isn't outstanding. */
const isAwaitingCheckout = ({
  status,
  finalizedAt,
}: Pick<InvoiceProgress, 'status' | 'finalizedAt'>): boolean =>
  status === 'outstanding' && finalizedAt === null;

/** True if an invoice is finalized, outstanding and past its due date. */
export const isOverdue = (invoice: InvoiceProgress, now: Date): boolean =>
  invoice.status === 'outstanding' && !isAwaitingCheckout(invoice) && new Date(invoice.dueDate) < now;

export const SubscriptionStatus = ({ status }: { readonly status: keyof Terms['subscriptionStatus'] }) => (
  <Status tone={subscriptionTones[status]}>{useTerms().subscriptionStatus[status]}</Status>
);

/** Status of an invoice. Invoices of open checkouts and overdue invoices have their own labels. */
export function InvoiceStatus({
  invoice,
  overdue = false,
}: {
  readonly invoice: Pick<InvoiceProgress, 'status' | 'finalizedAt'>;
  readonly overdue?: boolean;
}) {
  const terms = useTerms();
  const { status } = invoice;
  if (isAwaitingCheckout(invoice)) return <Status tone="neutral">{terms.awaitingCheckout}</Status>;
  return overdue ? (
    <Status tone="negative">{terms.overdue}</Status>
  ) : (
    <Status tone={invoiceTones[status]}>{terms.invoiceStatus[status]}</Status>
  );
}

/** Status of a previewed invoice. */
export const PreviewedStatus = ({ status }: { readonly status: InvoiceState }) => (
  <Status tone={invoiceTones[status]}>{useTerms().previewedStatus[status]}</Status>
);

export const TransactionStatus = ({ status }: { readonly status: keyof Terms['transactionStatus'] }) => (
  <Status tone={transactionTones[status]}>{useTerms().transactionStatus[status]}</Status>
);

/** Status of a payment link or one-time payment. */
export const PaymentStatus = ({ status }: { readonly status: keyof Terms['paymentStatus'] }) => (
  <Status tone={paymentTones[status]}>{useTerms().paymentStatus[status]}</Status>
);

export const EmailStatus = ({ status }: { readonly status: keyof Terms['emailStatus'] }) => (
  <Status tone={emailTones[status]}>{useTerms().emailStatus[status]}</Status>
);

/** Returns a function that describes a decline or dispute code. Unknown codes are shown unchanged. */
export function useDeclineText(): (code: string) => string {
  const texts: Readonly<Record<string, string>> = useTerms().decline;
  return (code) => (Object.hasOwn(texts, code) ? texts[code] : undefined) ?? plainText(code);
}

/** Reason why the bank declined a payment. */
export const DeclineText = ({ code }: { readonly code: string }) => useDeclineText()(code);

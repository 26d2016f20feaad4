import { plainText } from '../../../ui/format/names.ts';
import { Status } from '../../kit/badge.tsx';
import type { Tone } from '../../kit/tone.ts';
import type { terms as termWords } from '../../words/en/terms.ts';
import { useTerms } from '../terms.ts';

// States of what is billed, each in one tone and one word on every page.

type Terms = typeof termWords;
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
  unconfirmed: 'warning',
};

type InvoiceState = keyof Terms['invoiceStatus'];

/** Whether an invoice is open past its due date. */
export const isOverdue = (
  { status, dueDate }: { readonly status: InvoiceState; readonly dueDate: string },
  now: Date,
): boolean => status === 'outstanding' && new Date(dueDate) < now;

/** The status of a subscription. */
export const SubscriptionStatus = ({ status }: { readonly status: keyof Terms['subscriptionStatus'] }) => (
  <Status tone={subscriptionTones[status]}>{useTerms().subscriptionStatus[status]}</Status>
);

/** The status of an invoice. One that is open past its due date says so. */
export function InvoiceStatus({
  status,
  overdue = false,
}: {
  readonly status: InvoiceState;
  readonly overdue?: boolean;
}) {
  const terms = useTerms();
  return overdue ? (
    <Status tone="negative">{terms.overdue}</Status>
  ) : (
    <Status tone={invoiceTones[status]}>{terms.invoiceStatus[status]}</Status>
  );
}

/** The status an invoice of a preview would have. */
export const PreviewedStatus = ({ status }: { readonly status: InvoiceState }) => (
  <Status tone={invoiceTones[status]}>{useTerms().previewedStatus[status]}</Status>
);

/** The status of an attempt to collect money. */
export const TransactionStatus = ({ status }: { readonly status: keyof Terms['transactionStatus'] }) => (
  <Status tone={transactionTones[status]}>{useTerms().transactionStatus[status]}</Status>
);

/** The status of a payment link or of a charge of a stored card. */
export const PaymentStatus = ({ status }: { readonly status: keyof Terms['paymentStatus'] }) => (
  <Status tone={paymentTones[status]}>{useTerms().paymentStatus[status]}</Status>
);

/** How far an email has come. */
export const EmailStatus = ({ status }: { readonly status: keyof Terms['emailStatus'] }) => (
  <Status tone={emailTones[status]}>{useTerms().emailStatus[status]}</Status>
);

/** Says why a bank declined, or why a payment is disputed; the code itself where there are no words for it. */
export function useDeclineText(): (code: string) => string {
  const texts: Readonly<Record<string, string>> = useTerms().decline;
  return (code) => (Object.hasOwn(texts, code) ? texts[code] : undefined) ?? plainText(code);
}

/** Why a bank declined a payment. */
export const DeclineText = ({ code }: { readonly code: string }) => useDeclineText()(code);

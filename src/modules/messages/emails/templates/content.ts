import { dateText } from '../../../../documents/format.ts';
import { amountText } from '../../../../domain/money/amount-text.ts';
import type { RecurringInterval } from '../../../../domain/rows/enums.ts';
import type { Language } from '../../../../domain/text/language.ts';
import type { MailMessage } from '../../../../platform/mail.ts';
import { emailOf, type Message, type Sender } from './layout.ts';
import { type EmailWords, emailWords, greetingOf, subjectOf } from './words.ts';

export type EmailHead = {
  readonly to: string;
  /** Customer name. Empty if the name is unknown. */
  readonly customerName: string;
  readonly sender: Sender;
  readonly livemode: boolean;
};

/** Effect of a payment: the subscription starts, starts with a trial, changes its plan, or is reactivated. */
export type EmailPurpose = 'start' | 'trial' | 'plan_change' | 'restart';

/** Charge that an email announces. */
export type AnnouncedCharge = {
  /** Amount of the charge including tax, in minor units. */
  readonly amount: bigint;
  readonly currency: string;
  readonly on: Date;
  /** Billing interval of a recurring charge. `null` if the charge is one-time. */
  readonly interval: RecurringInterval | null;
  /** True if further usage can't increase the charge. */
  readonly isFinal: boolean;
};

/** Usage that reached a threshold or the amount of a limit. Amounts contain their units. */
export type LimitAbout = {
  readonly name: string | null;
  /** Reached amount or threshold, exceeded amount, or a remaining amount that fell to a threshold. */
  readonly event: 'reached' | 'threshold' | 'overrun' | 'remaining';
  readonly value: string;
  /** `null` if the limit has no amount. */
  readonly amount: string | null;
  /** Key of the budget. `null` if the limit applies to the customer. */
  readonly budget: string | null;
  /** End of the window. `null` if the window slides or doesn't end. */
  readonly resetsAt: Date | null;
  /** Time zone in which the email shows `resetsAt`. */
  readonly timeZone: string;
};

/** Data for an email about a customer's billing. Each email type uses some of the fields and omits `null` values. */
export type EmailAbout = {
  readonly purpose: EmailPurpose;
  readonly invoiceNumber: string | null;
  readonly creditNoteNumber: string | null;
  readonly money: { readonly amount: bigint; readonly currency: string } | null;
  /** Amount in a custom unit, in whole units rounded down. `name` is `null` if the unit is credits. `null` if the amount is money. */
  readonly units: { readonly amount: bigint; readonly name: string | null } | null;
  /** Limit that usage reached. `null` if the event isn't about a limit. */
  readonly limit: LimitAbout | null;
  /** Bank account of a debit or mandate. Values are `null` if the account was removed. `null` if the email isn't about a debit. */
  readonly debit: { readonly last4: string | null; readonly mandate: string | null } | null;
  /** Reason of an end. `null` if the event has no reason. */
  readonly reason: string | null;
  readonly planName: string | null;
  /** Due date of the invoice. */
  readonly dueDate: Date | null;
  /** Date of the payment or renewal, or end date of the trial or subscription. Defaults to the date of the event. */
  readonly on: Date;
  /** Next charge that will be made automatically. */
  readonly next: AnnouncedCharge | null;
  /** True if the subscription was canceled and ends with its trial. */
  readonly isEnding: boolean;
  /**
   * Date of the next automatic payment retry, and the end date of the subscription if the invoice isn't paid by then.
   */
  readonly retryAt: Date | null;
  readonly endsAt: Date | null;
  /** URL of the page where the customer can take action. */
  readonly payUrl: string | null;
  /** URL of the page that emails a portal link. In the portal, the customer can manage or cancel the subscription. */
  readonly manageUrl: string | null;
  /** URL of the invoice page, which links to the PDF. */
  readonly invoiceUrl: string | null;
};

/** Renders an email of one type for a customer. */
export type EmailText = (head: EmailHead, about: EmailAbout) => MailMessage;

/** Name of a labeled value that an email can show. */
export type FactName =
  | 'invoice'
  | 'creditNote'
  | 'amount'
  | 'date'
  | 'due'
  | 'plan'
  | 'account'
  | 'mandate'
  | 'budget';

/** Returns the text of a labeled value. `null` if the email omits the value. */
function factText(
  name: FactName,
  { invoiceNumber, creditNoteNumber, money, planName, dueDate, on, limit, debit }: EmailAbout,
  language: Language,
): string | null {
  switch (name) {
    case 'invoice':
      return invoiceNumber;
    case 'creditNote':
      return creditNoteNumber;
    case 'amount':
      return money === null ? null : amountText(money.amount, money.currency, language);
    case 'date':
      return dateText(on, language);
    case 'due':
      return dueDate === null ? null : dateText(dueDate, language);
    case 'plan':
      return planName;
    case 'account':
      return debit?.last4 == null ? null : `•••• ${debit.last4}`;
    case 'mandate':
      return debit?.mandate ?? null;
    case 'budget':
      return limit?.budget ?? null;
  }
}

type EmailParts = {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** Label of the link to the page where the customer can take action. `null` to link to the invoice page instead. */
  readonly action: string | null;
};

/** Returns the subject and all other wording of an email type. */
type EmailBuilder = (
  words: EmailWords,
  from: { readonly sender: string; readonly language: Language },
  about: EmailAbout,
) => EmailParts;

/** Prominence of the link for managing the subscription: main link, secondary link, or omitted. */
type Managed = 'first' | 'also' | 'never';

/**
 * Returns the links for an email. The main link leads to the page where the customer can take action, with the invoice
 * page as a fallback. `null` if the email has none of these pages.
 */
function leadsTo(
  label: string | null,
  about: EmailAbout,
  { common }: EmailWords,
  managed: Managed,
): Pick<Message, 'action' | 'also' | 'footnote'> {
  const { manage, manageNote } = common;
  const { manageUrl: url } = about;
  const managing = url === null || managed === 'never' ? null : { label: manage, url };
  if (managing !== null && managed === 'first') return { action: managing, also: null, footnote: manageNote };
  return { also: managing, ...actionOf(label, about, common.view) };
}

function actionOf(
  label: string | null,
  about: EmailAbout,
  view: string,
): Pick<Message, 'action' | 'footnote'> {
  if (label !== null && about.payUrl !== null)
    return { action: { label, url: about.payUrl }, footnote: null };
  const { invoiceUrl: url } = about;
  return { action: url === null ? null : { label: view, url }, footnote: null };
}

/** Creates an email type from its wording and labeled values. In a sandbox, the subject has a test mark. */
export const emailText =
  (build: EmailBuilder, details: readonly FactName[], managed: Managed = 'never'): EmailText =>
  ({ to, customerName, sender, livemode }, about) => {
    const { language, name } = sender;
    const words = emailWords[language];
    const { subject, paragraphs, action } = build(words, { sender: name, language }, about);
    return emailOf(sender, {
      to,
      subject: subjectOf(words, subject, livemode),
      greeting: greetingOf(words, customerName),
      paragraphs,
      details: details.flatMap((fact) => {
        const text = factText(fact, about, language);
        return text === null ? [] : [{ label: words.common.facts[fact], text }];
      }),
      ...leadsTo(action, about, words, managed),
    });
  };

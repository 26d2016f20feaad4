import { dateText } from '../../../documents/format.ts';
import { amountText, type Language } from '../../../domain/amount-text.ts';
import type { RecurringInterval } from '../../../domain/enums.ts';
import type { MailMessage } from '../../../platform/mail.ts';
import { emailOf, type Message, type Sender } from './layout.ts';

/** Who is written to, by whom. */
export type EmailHead = {
  readonly to: string;
  /** Empty when none is known. */
  readonly customerName: string;
  readonly sender: Sender;
  readonly livemode: boolean;
};

/** What paying leads to: a subscription begins, with a trial first; changes its plan; or begins again after its end. */
export type EmailPurpose = 'start' | 'trial' | 'plan_change' | 'restart';

/** A charge that is announced. */
export type AnnouncedCharge = {
  /** Tax included. */
  readonly amount: bigint;
  readonly currency: string;
  readonly on: Date;
  /** How often it is charged from then on; null where it is charged once. */
  readonly interval: RecurringInterval | null;
  /** Whether usage cannot raise it. */
  readonly isFinal: boolean;
};

/** What an email about a customer's billing can tell; each uses what belongs to it, and null is left out. */
export type EmailAbout = {
  readonly purpose: EmailPurpose;
  readonly invoiceNumber: string | null;
  readonly money: { readonly amount: bigint; readonly currency: string } | null;
  readonly planName: string | null;
  /** When the invoice is due. */
  readonly dueDate: Date | null;
  /** When it happened or will: of the payment, the end of the trial or of the subscription. */
  readonly on: Date;
  /** What is charged next automatically. */
  readonly next: AnnouncedCharge | null;
  /** Whether the subscription ends with its trial, since it was canceled. */
  readonly isEnding: boolean;
  /** When what could not be collected is tried again automatically, and when the subscription ends unless it is paid. */
  readonly retryAt: Date | null;
  readonly endsAt: Date | null;
  /** The page where something can be done about it. */
  readonly payUrl: string | null;
  /** Where the subscription is managed and canceled, for thirty days. */
  readonly manageUrl: string | null;
  /** The page of the invoice, with its PDF. */
  readonly invoiceUrl: string | null;
};

/** Makes an email of its facts. */
export type EmailText = (head: EmailHead, about: EmailAbout) => MailMessage;

export const common = {
  en: {
    test: 'Test',
    greeting: (name: string) => (name === '' ? 'Hello,' : `Hello ${name},`),
    invoice: 'Invoice',
    amount: 'Amount',
    date: 'Date',
    due: 'Due',
    plan: 'Plan',
    view: 'View the invoice',
    manage: 'Manage or cancel your subscription',
    manageNote: 'The link works for thirty days.',
  },
  es: {
    test: 'Prueba',
    greeting: (name: string) => (name === '' ? 'Hola:' : `Hola, ${name}:`),
    invoice: 'Factura',
    amount: 'Importe',
    date: 'Fecha',
    due: 'Vencimiento',
    plan: 'Plan',
    view: 'Ver la factura',
    manage: 'Gestionar o cancelar tu suscripción',
    manageNote: 'El enlace funciona durante treinta días.',
  },
} as const;

/** A fact an email lists beside a label. */
export type FactName = 'invoice' | 'amount' | 'date' | 'due' | 'plan';

/** The text of a fact; null when there is nothing to tell. */
function factText(
  name: FactName,
  { invoiceNumber, money, planName, dueDate, on }: EmailAbout,
  language: Language,
): string | null {
  switch (name) {
    case 'invoice':
      return invoiceNumber;
    case 'amount':
      return money === null ? null : amountText(money.amount, money.currency, language);
    case 'date':
      return dateText(on, language);
    case 'due':
      return dueDate === null ? null : dateText(dueDate, language);
    case 'plan':
      return planName;
  }
}

/** What a kind of email says in one language. */
export type EmailWords = {
  readonly subject: (sender: string, about: EmailAbout) => string;
  readonly paragraphs: (sender: string, about: EmailAbout) => readonly string[];
  /** The label of the page where something can be done; null leads to the page of the invoice instead. */
  readonly action: string | null;
};

/** Whether an email leads to where the subscription is managed: before all else, or beside what else it leads to. */
type Managed = 'first' | 'also' | 'never';

/** Where an email leads: to the page that does something about it, else to the page of the invoice; null when there is neither. */
function leadsTo(
  label: string | null,
  about: EmailAbout,
  language: Language,
  managed: Managed,
): Pick<Message, 'action' | 'also' | 'footnote'> {
  const { manage, manageNote } = common[language];
  const { manageUrl: url } = about;
  const managing = url === null || managed === 'never' ? null : { label: manage, url };
  if (managing !== null && managed === 'first') return { action: managing, also: null, footnote: manageNote };
  return { also: managing, ...actionOf(label, about, language) };
}

function actionOf(
  label: string | null,
  about: EmailAbout,
  language: Language,
): Pick<Message, 'action' | 'footnote'> {
  if (label !== null && about.payUrl !== null)
    return { action: { label, url: about.payUrl }, footnote: null };
  const { invoiceUrl: url } = about;
  return { action: url === null ? null : { label: common[language].view, url }, footnote: null };
}

/** Makes a kind of email of its words in every language and the facts it lists. Emails of the sandbox say so in the subject. */
export const emailText =
  (
    words: { readonly [language in Language]: EmailWords },
    details: readonly FactName[],
    managed: Managed = 'never',
  ): EmailText =>
  ({ to, customerName, sender, livemode }, about) => {
    const { language, name } = sender;
    const say = words[language];
    const subject = say.subject(name, about);
    return emailOf(sender, {
      to,
      subject: livemode ? subject : `[${common[language].test}] ${subject}`,
      greeting: common[language].greeting(customerName),
      paragraphs: say.paragraphs(name, about),
      details: details.flatMap((fact) => {
        const text = factText(fact, about, language);
        return text === null ? [] : [{ label: common[language][fact], text }];
      }),
      ...leadsTo(say.action, about, language, managed),
    });
  };

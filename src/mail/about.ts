import { amountText, dateText, type Language } from '../documents/format.ts';
import type { Letter } from '../infra/mail.ts';
import { letterOf, type Message, type Sender } from './frame.ts';

/** Who is written to, by whom. */
export type LetterHead = {
  readonly to: string;
  /** Empty when none is known. */
  readonly customerName: string;
  readonly sender: Sender;
  readonly livemode: boolean;
};

/** What paying leads to: a subscription begins, with a trial first; changes its plan; or begins again after its end. */
export type LetterPurpose = 'start' | 'trial' | 'plan_change' | 'restart';

/** What a letter about a customer's billing can tell; each uses what belongs to it, and null is left out. */
export type LetterAbout = {
  readonly purpose: LetterPurpose;
  readonly invoiceNumber: string | null;
  readonly money: { readonly amount: bigint; readonly currency: string } | null;
  readonly planName: string | null;
  /** When the invoice is due. */
  readonly dueDate: Date | null;
  /** When it happened or will: of the payment, the end of the trial or of the subscription. */
  readonly on: Date;
  /** The page where something can be done about it. */
  readonly payUrl: string | null;
  /** Where the PDF of the invoice can be downloaded, for seven days. */
  readonly documentUrl: string | null;
};

/** Makes a letter of its facts. */
export type LetterText = (head: LetterHead, about: LetterAbout) => Letter;

const common = {
  en: {
    test: 'Test',
    greeting: (name: string) => (name === '' ? 'Hello,' : `Hello ${name},`),
    invoice: 'Invoice',
    amount: 'Amount',
    date: 'Date',
    due: 'Due',
    plan: 'Plan',
    download: 'Download the invoice',
    downloadNote: 'The link works for seven days.',
  },
  es: {
    test: 'Prueba',
    greeting: (name: string) => (name === '' ? 'Hola:' : `Hola, ${name}:`),
    invoice: 'Factura',
    amount: 'Importe',
    date: 'Fecha',
    due: 'Vencimiento',
    plan: 'Plan',
    download: 'Descargar la factura',
    downloadNote: 'El enlace funciona durante siete días.',
  },
} as const;

/** A fact a letter lists beside a label. */
export type FactName = 'invoice' | 'amount' | 'date' | 'due' | 'plan';

/** The text of a fact; null when there is nothing to tell. */
function factText(name: FactName, { invoiceNumber, money, planName, dueDate, on }: LetterAbout, language: Language): string | null {
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

/** What a kind of letter says in one language. */
export type LetterWords = {
  readonly subject: (sender: string, about: LetterAbout) => string;
  readonly paragraphs: (sender: string, about: LetterAbout) => readonly string[];
  /** The label of the page where something can be done; null leads to the document of the invoice instead. */
  readonly action: string | null;
};

/** Where a letter leads: to the page that does something about it, else to the document; null when there is neither. */
function leadsTo(label: string | null, about: LetterAbout, language: Language): Pick<Message, 'action' | 'footnote'> {
  if (label !== null && about.payUrl !== null) return { action: { label, url: about.payUrl }, footnote: null };
  if (about.documentUrl === null) return { action: null, footnote: null };
  return { action: { label: common[language].download, url: about.documentUrl }, footnote: common[language].downloadNote };
}

/** Makes a kind of letter of its words in every language and the facts it lists. Letters of the sandbox say so in the subject. */
export const letterText =
  (words: { readonly [language in Language]: LetterWords }, facts: readonly FactName[]): LetterText =>
  ({ to, customerName, sender, livemode }, about) => {
    const { language, name } = sender;
    const say = words[language];
    const subject = say.subject(name, about);
    return letterOf(sender, {
      to,
      subject: livemode ? subject : `[${common[language].test}] ${subject}`,
      greeting: common[language].greeting(customerName),
      paragraphs: say.paragraphs(name, about),
      facts: facts.flatMap((fact) => {
        const text = factText(fact, about, language);
        return text === null ? [] : [{ label: common[language][fact], text }];
      }),
      ...leadsTo(say.action, about, language),
    });
  };

import type { Language } from '../../../domain/amount-text.ts';
import type { MailMessage } from '../../../platform/mail.ts';
import { common, type EmailHead } from './content.ts';
import { emailOf } from './layout.ts';

const words: {
  readonly [language in Language]: {
    readonly subject: (sender: string) => string;
    readonly paragraphs: (sender: string) => readonly string[];
    readonly open: string;
    readonly footnote: string;
  };
} = {
  en: {
    subject: (sender) => `Your link to ${sender}`,
    paragraphs: (sender) => [`Here you look after your subscription with ${sender}.`],
    open: 'Open the portal',
    footnote: 'The link works for an hour. If you did not ask for it, you can ignore this email.',
  },
  es: {
    subject: (sender) => `Tu enlace a ${sender}`,
    paragraphs: (sender) => [`Aquí puedes gestionar tu suscripción con ${sender}.`],
    open: 'Abrir el portal',
    footnote: 'El enlace funciona durante una hora. Si no lo has pedido, puedes ignorar este correo.',
  },
};

/** The email with a link to the portal that someone asked for. */
export function portalLinkEmail({ to, customerName, sender, livemode }: EmailHead, url: string): MailMessage {
  const { language, name } = sender;
  const { subject, paragraphs, open, footnote } = words[language];
  const { greeting, test } = common[language];
  return emailOf(sender, {
    to,
    subject: livemode ? subject(name) : `[${test}] ${subject(name)}`,
    greeting: greeting(customerName),
    paragraphs: paragraphs(name),
    details: [],
    action: { label: open, url },
    footnote,
  });
}

import type { Language } from '../../../domain/amount-text.ts';
import type { MailMessage } from '../../../platform/mail.ts';

/** Who writes an email, and how it looks. */
export type Sender = {
  readonly name: string;
  /** A checked `#rrggbb`; null for ours. */
  readonly accentColor: string | null;
  /** A checked https address; null for none. */
  readonly logoUrl: string | null;
  /** Null for the sender of the installation. */
  readonly replyTo: string | null;
  readonly language: Language;
};

/** What an email says, in the order it is said; the frame makes a plain and a laid out version of it. */
export type Message = {
  readonly to: string;
  readonly subject: string;
  readonly greeting: string;
  readonly paragraphs: readonly string[];
  readonly details: readonly { readonly label: string; readonly text: string }[];
  /** Something to open; null when there is nothing. */
  readonly action: { readonly label: string; readonly url: string } | null;
  /** What else can be opened, less prominent. */
  readonly also?: { readonly label: string; readonly url: string } | null;
  /** A last small line; null when there is none. */
  readonly footnote: string | null;
};

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as HTML shows it, with nothing in it that HTML would obey. */
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);

/** A text on one line: headers take no line breaks. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function plain(
  sender: Sender,
  { greeting, paragraphs, details, action, also = null, footnote }: Message,
): string {
  const parts = [
    greeting,
    ...paragraphs,
    details.map(({ label, text }) => `${label}: ${text}`).join('\n'),
    action === null ? '' : `${action.label}:\n${action.url}`,
    also === null ? '' : `${also.label}:\n${also.url}`,
    sender.name,
    footnote ?? '',
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function laidOut(
  sender: Sender,
  { subject, greeting, paragraphs, details, action, also = null, footnote }: Message,
): string {
  const color = sender.accentColor ?? '#1f3a5f';
  const paragraph = (text: string): string => `<p dir="auto">${escaped(text)}</p>`;
  const logo =
    sender.logoUrl === null
      ? ''
      : `<p><img src="${escaped(sender.logoUrl)}" alt="" height="40" style="display:block;height:40px;width:auto;border:0"></p>\n`;
  const rows = details.map(
    ({ label, text }) =>
      `<tr><th scope="row" align="left" style="padding:4px 24px 4px 0;font-weight:normal;color:#5c5c5c">${escaped(label)}</th><td style="padding:4px 0">${escaped(text)}</td></tr>`,
  );
  const button =
    action === null
      ? ''
      : `<p><a href="${escaped(action.url)}" style="display:inline-block;padding:10px 18px;border-radius:4px;background:${color};color:#ffffff;text-decoration:none">${escaped(action.label)}</a></p>`;
  const link =
    also === null
      ? ''
      : `<p><a href="${escaped(also.url)}" style="color:${color}">${escaped(also.label)}</a></p>`;
  return `<!doctype html>
<html lang="${sender.language}">
<head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px;font-family:system-ui,sans-serif;font-size:15px;line-height:1.5;color:#1c1c1c">
<div style="max-width:560px;margin:0 auto;border-top:4px solid ${color};padding-top:16px">
${logo}<p style="font-weight:bold" dir="auto">${escaped(sender.name)}</p>
${[greeting, ...paragraphs].map(paragraph).join('\n')}
<table role="presentation" style="border-collapse:collapse">${rows.join('')}</table>
${button}
${link}
${footnote === null ? '' : `<p style="font-size:12px;color:#5c5c5c">${escaped(footnote)}</p>`}
</div>
</body>
</html>
`;
}

/** An email that says the same in plain text and with layout. */
export const emailOf = (sender: Sender, message: Message): MailMessage => ({
  to: oneLine(message.to),
  subject: oneLine(message.subject),
  text: plain(sender, message),
  html: laidOut(sender, message),
  ...(sender.replyTo === null ? {} : { replyTo: oneLine(sender.replyTo) }),
});

import type { Language } from '../../../domain/amount-text.ts';
import type { MailMessage } from '../../../platform/mail.ts';

/** Who writes an email, and how it looks. */
export type Sender = {
  readonly name: string;
  /** A checked `#rrggbb`; null for ours. */
  readonly accentColor: string | null;
  /** A checked https address; null for none. */
  readonly logoUrl: string | null;
  /** Its size in pixels; null where it is not known. */
  readonly logoWidth: number | null;
  readonly logoHeight: number | null;
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

/** What the logo is fitted in, in pixels. */
const logoRoom = { width: 560, height: 40 } as const;

/** The logo at the head, as large as it fits; only as high as there is room where its size is not known. */
function logoOf({ logoUrl, logoWidth, logoHeight }: Sender): string {
  if (logoUrl === null) return '';
  const image = (size: string, style: string): string =>
    `<p><img src="${escaped(logoUrl)}" alt="" ${size} style="display:block;${style};border:0"></p>\n`;
  if (logoWidth === null || logoHeight === null)
    return image(`height="${logoRoom.height}"`, `height:${logoRoom.height}px;width:auto`);
  const scale = Math.min(logoRoom.height / logoHeight, logoRoom.width / logoWidth);
  const [width, height] = [logoWidth, logoHeight].map((side) => Math.max(1, Math.round(side * scale)));
  return image(`width="${width}" height="${height}"`, `width:${width}px;height:${height}px`);
}

function laidOut(
  sender: Sender,
  { subject, greeting, paragraphs, details, action, also = null, footnote }: Message,
): string {
  const color = sender.accentColor ?? '#1f3a5f';
  const paragraph = (text: string): string => `<p dir="auto">${escaped(text)}</p>`;
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
${logoOf(sender)}<p style="font-weight:bold" dir="auto">${escaped(sender.name)}</p>
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
